import CZeroMQ
import Glibc

/// A failure of libzmq or of the system: the operation, the cause, and the remedy.
///
/// EINTR, EAGAIN and ETERM are not errors but named outcomes of sending, receiving and polling.
public struct ZeroMQError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number of libzmq or the kernel. Unknown numbers are kept.
  public let code: Int32
  /// The C function that failed, with its argument: "zmq_bind ipc:///run/motiond/control".
  public let operation: String

  /// An error with this number.
  public init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The error that libzmq reported last on this thread.
  static func last(_ operation: String) -> ZeroMQError {
    ZeroMQError(code: zmq_errno(), operation: operation)
  }

  /// The problem and the remedy.
  public var description: String {
    let cause = String(cString: zmq_strerror(code))
    let remedy = Self.remedy(for: code).map { ". \($0)" } ?? ""
    return "\(operation): \(cause) (errno \(code))\(remedy)"
  }

  private static func remedy(for code: Int32) -> String? {
    switch code {
    case EADDRINUSE: "Another process has this address; stop it or choose another"
    case EADDRNOTAVAIL: "This machine has no such address; choose one of its own, or make the directory of the socket"
    case ENOENT: "The directory of the socket does not exist; make it first"
    case EACCES, EPERM: "The socket or its directory belongs to another user; run as that user or change its mode"
    case ENAMETOOLONG: "The path of a socket has at most \(Endpoint.longestPath) bytes; choose a shorter directory"
    case ECONNREFUSED: "Nobody listens there; start the other side"
    case EMFILE, ENFILE: "Too many descriptors are open; raise the limit (ulimit -n)"
    case EINVAL: "This kind of socket does not support the address or the option"
    case EPROTONOSUPPORT: "This build of libzmq does not speak this transport"
    case ENOTSUP: "This kind of socket cannot do that"
    case EHOSTUNREACH: "No peer has this routing id; it has gone or has never come"
    case EFSM: "The socket is not in a state for this"
    default: nil
    }
  }
}

// libzmq defines these numbers when the system lacks them; on Linux only these two are its own.
private let numberBase: Int32 = 156_384_712
let EFSM: Int32 = numberBase + 51
let ETERM: Int32 = numberBase + 53
