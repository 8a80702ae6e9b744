/// An object whose value can be read in place.
public protocol ScopedReadable {
  /// The type of the value.
  associatedtype Value
  /// The present value.
  func read() -> Value
}

/// An object whose value can be written in place.
public protocol ScopedWritable {
  /// The type of the value.
  associatedtype Value
  /// Sets the value.
  func write(_ value: Value)
}

extension ReactiveProperty: ScopedReadable, ScopedWritable {}
