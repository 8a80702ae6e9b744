import Synchronization

/// A value that one thread sets, once, and another thread waits for.
package final class Future<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let arrival: EventCounter

  /// A future without a value.
  package init() throws(SystemError) { arrival = try EventCounter() }

  /// Sets the value.
  package func set(_ value: Value) {
    self.value.withLock { present in
      precondition(present == nil, "a future is set once")
      present = value
    }
    arrival.signal()
  }

  /// Waits until the value is set, at most for `limit`.
  ///
  /// - Returns: whether it is.
  @discardableResult
  package func wait(upTo limit: Duration? = nil) -> Bool { arrival.wait(upTo: limit) }

  /// Waits for the value and takes it out. Call it once.
  package func take() -> Value {
    arrival.wait()
    return value.withLock { value in
      guard let taken = value.take() else { preconditionFailure("a future is taken once") }
      return taken
    }
  }
}
