/// A property that can be read, written and observed.
///
/// The backing holds the value. A write goes to the backing first, then to the observers in the order in which they
/// subscribed, even if it equals the last value. A write that an observer makes during a notification is sent in the
/// next round, of several only the last. So every observer ends with the newest value, and a cycle stops when the value
/// no longer changes. An observer that unsubscribes meanwhile receives nothing more.
public final class ReactiveProperty<Value: Equatable>: Inspectable {
  /// The most rounds that the writes of observers may cause. A cycle that has not settled by then never does.
  public static var mostRounds: Int { 1000 }

  /// The name in metadata.
  public let name: String
  /// The owner in metadata.
  public let owner: String?
  private let readBacking: () -> Value
  private let writeBacking: (Value) -> Void
  private let observers = ObserverList<Value>()
  private var isHandingRound = false
  /// Whether an observer has written since the round began.
  private var isWritten = false
  /// The stream that notifies the observers of a view, which has no rounds of its own.
  private let viewed: MotionObservable<Value>?

  /// Creates a property that these closures read and write.
  public init(
    _ name: String = "property", of owner: String? = nil, read: @escaping () -> Value,
    write: @escaping (Value) -> Void
  ) {
    self.name = name
    self.owner = owner
    readBacking = read
    writeBacking = write
    viewed = nil
  }

  /// Creates a view of another property. `changes` emits the present value at once, then every other one.
  init(
    _ name: String, of owner: String?, read: @escaping () -> Value, write: @escaping (Value) -> Void,
    viewing changes: MotionObservable<Value>
  ) {
    self.name = name
    self.owner = owner
    readBacking = read
    writeBacking = write
    viewed = changes
  }

  /// Creates a property that stores its value itself.
  public convenience init(_ value: Value, named name: String = "property", of owner: String? = nil) {
    let storage = Storage(value)
    self.init(name, of: owner, read: { storage.value }, write: { storage.value = $0 })
  }

  /// `position of ball`
  public var inspected: String { owner.map { "\(name) of \($0)" } ?? name }

  /// The present value.
  public func read() -> Value { readBacking() }

  /// Sets the value, and notifies every observer.
  public func write(_ value: Value) {
    writeBacking(value)
    guard viewed == nil else { return }
    isWritten = true
    guard !isHandingRound else { return }
    isHandingRound = true
    defer { isHandingRound = false }
    var last: Value?
    for _ in 0..<Self.mostRounds where isWritten {
      isWritten = false
      let newest = readBacking()
      guard newest != last else { return }
      last = newest
      observers.next(newest)
    }
  }

  /// Calls `next` with the present value at once, then with every value that is written.
  public func subscribe(next: @escaping (Value) -> Void) -> Subscription { asStream().subscribe(next: next) }

  /// The present value, then every value that is written. The stream keeps the property alive.
  public func asStream() -> MotionObservable<Value> {
    MotionObservable(Metadata(inspected, origin: self)) { [self] observer in
      if let viewed { return viewed.connect(observer) }
      let receiver = observers.add(observer)
      observer.next(readBacking())
      return { [self] in observers.remove(receiver) }
    }
  }
}

extension ReactiveProperty: PropertyArgument {}

/// Creates a property that stores its value itself, with this initial value.
public func createProperty<Value: Equatable>(
  withInitialValue value: Value, named name: String = "property"
) -> ReactiveProperty<Value> {
  ReactiveProperty(value, named: name)
}

/// Creates a property that stores its value itself, initially zero.
public func createProperty<Value: MotionValue>(named name: String = "property") -> ReactiveProperty<Value> {
  ReactiveProperty(.zero, named: name)
}

/// Creates a property that stores its value itself, initially without one.
public func createProperty<Value: Equatable>(named name: String = "property") -> ReactiveProperty<Value?> {
  ReactiveProperty(nil, named: name)
}

private final class Storage<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
