/// Something that can be read where it stands.
public protocol ScopedReadable {
  /// What is read.
  associatedtype Value
  /// The present value.
  func read() -> Value
}

/// Something that can be written where it stands.
public protocol ScopedWritable {
  /// What is written.
  associatedtype Value
  /// Sets the value.
  func write(_ value: Value)
}

extension ReactiveProperty: ScopedReadable, ScopedWritable {}
