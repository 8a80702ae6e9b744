import CZeroMQ
import Glibc

/// Owns libzmq's threads. Every socket belongs to a context and retains it.
///
/// Any thread may use it. It ends when the last socket and the last other owner have released it. The corresponding C
/// functions are `zmq_ctx_new`, `zmq_ctx_shutdown` and `zmq_ctx_term`.
public final class ZeroMQContext: @unchecked Sendable {
  // Unchecked, because libzmq documents that a context may be used by any thread; the pointer never changes.
  let pointer: UnsafeMutableRawPointer

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - ioThreads: the number of I/O threads; one moves about 1 GB/s.
  ///   - maxSockets: the largest number of sockets at a time; libzmq's own default is 1023.
  ///   - cpu: the processor to which libzmq's threads are pinned; `nil` does not pin them.
  public init(ioThreads: Int32 = 1, maxSockets: Int32 = 1023, cpu: Int32? = nil) throws(ZeroMQError) {
    guard let pointer = zmq_ctx_new() else { throw .last("zmq_ctx_new") }
    self.pointer = pointer
    guard zmq_ctx_set(pointer, ZMQ_IO_THREADS, ioThreads) == 0, zmq_ctx_set(pointer, ZMQ_MAX_SOCKETS, maxSockets) == 0
    else { throw .last("zmq_ctx_set") }
    if let cpu, zmq_ctx_set(pointer, ZMQ_THREAD_AFFINITY_CPU_ADD, cpu) != 0 {
      throw .last("zmq_ctx_set THREAD_AFFINITY_CPU_ADD \(cpu)")
    }
  }

  deinit {
    // Sockets retain the context, so none is open here, and each limits its linger: this returns. A signal may
    // interrupt the wait for linger. The manual demands another call then, or the last messages would be lost.
    while zmq_ctx_term(pointer) != 0, zmq_errno() == EINTR {}
  }

  /// Ends every blocking call on the context's sockets with the outcome `terminated`. Afterwards sockets can only be
  /// closed.
  public func shutdown() {
    zmq_ctx_shutdown(pointer)
  }

  /// The version of the loaded libzmq.
  public static var version: (major: Int, minor: Int, patch: Int) {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    zmq_version(&major, &minor, &patch)
    return (Int(major), Int(minor), Int(patch))
  }

  /// Whether libzmq was built with a capability: "curve", "ipc", "draft".
  public static func has(_ capability: String) -> Bool { zmq_has(capability) != 0 }
}
