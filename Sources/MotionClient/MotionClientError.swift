public import MotionModel

/// Why a client's request failed, with the remedy.
public struct MotionClientError: Error, Hashable, Sendable {
  /// The kind of error, for programs. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// No daemon listens at the expected address.
    public static let unreachable = Code(description: "unreachable")
    /// No answer arrived in time. On this machine a daemon listens; at an address on another one perhaps none does.
    public static let timeout = Code(description: "timeout")
    /// The daemon refused; ``MotionClientError/refusal`` has the reason.
    public static let refused = Code(description: "refused")
    /// The daemon sent a message that does not fit.
    public static let protocolViolation = Code(description: "protocol")
    /// The descriptor that interrupts the client's waits became readable.
    public static let interrupted = Code(description: "interrupted")
    /// A key of the client, or the daemon's, cannot be used.
    public static let key = Code(description: "key")
    /// A socket of the client failed.
    public static let socket = Code(description: "socket")
  }

  /// The kind of error, for programs.
  public var code: Code
  /// The problem, for people, in one sentence.
  public var message: String
  /// The remedy, in one sentence; empty if there is none.
  public var remedy: String
  /// The daemon's refusal, if it refused.
  public var refusal: Refusal?

  /// An error with its cause and its remedy.
  public init(_ code: Code, _ message: String, remedy: String = "", refusal: Refusal? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.refusal = refusal
  }

  /// The error for a refusal of the daemon.
  static func refused(_ refusal: Refusal) -> MotionClientError {
    MotionClientError(.refused, refusal.description, refusal: refusal)
  }

  /// The error for a wait that was interrupted.
  static var interrupted: MotionClientError {
    MotionClientError(
      .interrupted, "interrupted before motiond answered", remedy: "Check the result: motiond may carry out the request"
    )
  }

  /// The error for an answer that does not match the request.
  static func unexpected(_ answer: String, to request: String) -> MotionClientError {
    MotionClientError(
      .protocolViolation, "motiond answered a \(request) with \(answer)",
      remedy: "Use a client and a daemon of the same version: compare motionctl --version with motiond --version")
  }
}

extension MotionClientError: CustomStringConvertible {
  /// The message with the remedy.
  public var description: String { remedy.isEmpty ? message : "\(message). \(remedy)." }
}
