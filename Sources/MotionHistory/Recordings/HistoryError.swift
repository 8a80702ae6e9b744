/// Why a recording could not be read, or has not what was asked for.
public struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, with the file and, if it is damaged, the place.
  public var message: String
  /// The remedy; may be empty.
  public var remedy: String
  /// Whether nothing is wrong except that the caller interrupted the reading.
  public var isInterruption = false

  /// Creates an error with its remedy.
  public init(_ message: String, remedy: String = "") { (self.message, self.remedy) = (message, remedy) }

  /// The error of a reading that its caller interrupted.
  static var interruption: HistoryError {
    var error = HistoryError("interrupted")
    error.isInterruption = true
    return error
  }

  /// The problem and the remedy.
  public var description: String { remedy.isEmpty ? message : "\(message); \(remedy)" }
}
