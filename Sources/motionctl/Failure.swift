import MotionClient
import MotionModel

/// The exit codes of the program.
enum ExitStatus: Int32 {
  /// The command succeeded.
  case success = 0
  /// A failure without a code of its own: a file could not be read, a socket failed.
  case failure = 1
  /// The arguments or a transaction file are invalid.
  case usage = 2
  /// No daemon was found.
  case unreachable = 3
  /// The daemon refused.
  case refused = 4
  /// The daemon did not answer in time.
  case timeout = 5
}

/// Why a command failed: the message, the remedy, and the exit code.
struct Failure: Error, Equatable {
  /// The exit code.
  var code: ExitStatus
  /// The problem, for people.
  var message: String
  /// The remedy; may be empty.
  var remedy: String

  /// A failure with its remedy.
  init(_ code: ExitStatus, _ message: String, remedy: String = "") {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Converts a client's error.
  init(_ error: MotionClientError) {
    let code: ExitStatus =
      switch error.code {
      case .unreachable: .unreachable
      case .refused: .refused
      case .timeout: .timeout
      default: .failure
      }
    guard let refusal = error.refusal else {
      self.init(code, error.message, remedy: error.remedy)
      return
    }
    var sentence = refusal
    sentence.remedy = ""
    self.init(code, "refused: \(sentence)", remedy: refusal.remedy)
  }
}
