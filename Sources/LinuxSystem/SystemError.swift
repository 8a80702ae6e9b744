import Glibc

/// A failed system call: the call, the error number, and the remedy where there is a usual one.
///
/// EINTR and EAGAIN are not errors but outcomes with names.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number as the kernel returned it; unknown numbers are kept.
  public let code: Int32
  /// The C function that failed, with its main argument: "pidfd_open 4711".
  public let operation: String

  /// A failure of `operation` with this error number.
  public init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The cause and the remedy.
  public var description: String {
    let remedy: String? =
      switch code {
      case EMFILE, ENFILE: "Too many descriptors are open; raise the limit (ulimit -n)"
      case ENOMEM: "The machine has no memory left for it; end other programs"
      case EACCES, EPERM: "Run as a user that may do this"
      default: nil
      }
    return "\(operation): \(String(cString: strerror(code))) (errno \(code))" + (remedy.map { ". \($0)" } ?? "")
  }
}
