/// A mistake in a line of the shell, with its column and a remedy.
public struct ShellLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The column, from 1, counted in Unicode scalars.
  public let column: Int
  /// The mistake, for people, in one sentence.
  public let message: String
  /// The remedy; may be empty.
  public let remedy: String

  init(_ column: Int, _ message: String, remedy: String = "") {
    self.column = column
    self.message = message
    self.remedy = remedy
  }

  /// `column 17: there is no value`
  public var description: String { "column \(column): \(message)" }
}
