import CZeroMQ

/// One part of a message: bytes that libzmq owns, read without copying and never beyond their end.
///
/// A message is empty after it was sent. Not sendable: only one thread at a time may use it.
public final class Message {
  var raw = zmq_msg_t()

  /// An empty message, to receive into.
  public init() {
    zmq_msg_init(&raw)
  }

  /// A message of `count` bytes that `body` fills; they are uninitialised before. It saves one copy compared with an
  /// array.
  public init(count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let status = zmq_msg_init_size(&raw, count)
    precondition(status == 0, "no memory for a message of \(count) bytes")
    do {
      try body(UnsafeMutableRawBufferPointer(start: zmq_msg_data(&raw), count: count))
    } catch {
      zmq_msg_close(&raw)
      zmq_msg_init(&raw)
      throw error
    }
  }

  /// A message with a copy of these bytes.
  public convenience init(_ bytes: some Collection<UInt8>) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  /// Another reference to the same message. The bytes of a long message are shared, and stay until both are released;
  /// those of a short one are copied.
  ///
  /// The bytes may not be changed afterwards. The corresponding C function is `zmq_msg_copy`.
  public init(sharing other: Message) {
    zmq_msg_init(&raw)
    let status = zmq_msg_copy(&raw, &other.raw)
    precondition(status == 0, "a message cannot be shared: errno \(zmq_errno())")
  }

  /// A message with a copy of these bytes that reports its release, after it was written to its last peer, or dropped.
  /// `released` is called once, on any thread, and must not wait.
  public init(_ bytes: [UInt8], released: @escaping @Sendable () -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
    bytes.withUnsafeBytes { if let start = $0.baseAddress { memory.copyMemory(from: start, byteCount: $0.count) } }
    let status = zmq_msg_init_data(
      &raw, memory, bytes.count,
      { memory, holder in
        memory?.deallocate()
        guard let holder else { return }
        Unmanaged<Holder>.fromOpaque(holder).takeRetainedValue().released()
      }, Unmanaged.passRetained(Holder(released)).toOpaque())
    precondition(status == 0, "no memory for a message of \(bytes.count) bytes")
  }

  /// A message of bytes that the caller owns. `release` is called once with the bytes and the hint, on any thread, when
  /// the last reference to the message is released.
  init(
    _ block: UnsafeMutableRawPointer, count: Int,
    _ release: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void,
    _ hint: UnsafeMutableRawPointer
  ) {
    let status = zmq_msg_init_data(&raw, block, count, release, hint)
    precondition(status == 0, "no memory for a message of \(count) bytes")
  }

  private final class Holder: Sendable {
    let released: @Sendable () -> Void
    init(_ released: @escaping @Sendable () -> Void) { self.released = released }
  }

  deinit {
    zmq_msg_close(&raw)
  }

  /// The number of bytes.
  public var count: Int { zmq_msg_size(&raw) }

  /// Whether more parts of the same message follow.
  public var hasMore: Bool { zmq_msg_more(&raw) != 0 }

  /// A copy of the bytes.
  public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  /// Passes the bytes to `body`. They are valid only during the call.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: zmq_msg_data(&raw), count: zmq_msg_size(&raw)))
  }

  /// A property of the sender's connection: "Peer-Address", "User-Id" (assigned by ZAP), "Socket-Type".
  ///
  /// The corresponding C function is `zmq_msg_gets`.
  public func property(_ name: String) -> String? {
    zmq_msg_gets(&raw, name).map { String(cString: $0) }
  }
}
