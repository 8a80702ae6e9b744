/// The reason why a text or a set of numbers is not a timing function: the position, the problem and the remedy.
public struct TimingFunctionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The column at which the problem begins, counted in characters from 1; nil for numbers that were not read from
  /// text.
  public let column: Int?

  /// The problem.
  public let problem: String

  /// The remedy.
  public let remedy: String

  init(column: Int? = nil, _ problem: String, remedy: String) {
    self.column = column
    self.problem = problem
    self.remedy = remedy
  }

  /// Returns the same problem at a column of a text, unless it has one already.
  func at(column: Int) -> TimingFunctionError {
    TimingFunctionError(column: self.column ?? column, problem, remedy: remedy)
  }

  /// The whole message in one line.
  public var description: String {
    (column.map { "column \($0): " } ?? "") + problem + "; " + remedy
  }
}
