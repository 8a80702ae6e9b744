public import MotionModel

/// Why a client could not do what was asked, with what to do about it.
public struct MotionClientError: Error, Hashable, Sendable {
  /// What went wrong, for programs. More may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The word.
    public let description: String

    /// Nobody listens where a daemon was expected.
    public static let unreachable = Code(description: "unreachable")
    /// A daemon listens, but did not answer in time.
    public static let timeout = Code(description: "timeout")
    /// The daemon refused; ``MotionClientError/refusal`` says why.
    public static let refused = Code(description: "refused")
    /// The daemon said something that does not fit.
    public static let protocolViolation = Code(description: "protocol")
    /// A key of ours, or the daemon's, cannot be used.
    public static let key = Code(description: "key")
    /// A socket failed on this side.
    public static let socket = Code(description: "socket")
  }

  /// What went wrong, for programs.
  public var code: Code
  /// What went wrong, for people, in one sentence.
  public var message: String
  /// What to do about it, in one sentence; empty when there is nothing to do.
  public var remedy: String
  /// What the daemon said, if it refused.
  public var refusal: Refusal?

  /// An error with its cause and its remedy.
  public init(_ code: Code, _ message: String, remedy: String = "", refusal: Refusal? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.refusal = refusal
  }

  /// The daemon refused.
  static func refused(_ refusal: Refusal) -> MotionClientError {
    MotionClientError(.refused, refusal.description, refusal: refusal)
  }

  /// The daemon answered with something that is no answer to the request.
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
