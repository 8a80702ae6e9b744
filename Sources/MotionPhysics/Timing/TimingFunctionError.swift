/// Why a text or a set of numbers is not a timing function: where, what, and what to write instead.
public struct TimingFunctionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the text the problem begins, counted in characters from 1; nil for numbers that were not read from text.
  public let column: Int?

  /// What is wrong.
  public let problem: String

  /// What would be right.
  public let remedy: String

  init(column: Int? = nil, _ problem: String, remedy: String) {
    self.column = column
    self.problem = problem
    self.remedy = remedy
  }

  /// The same problem at a place in a text, unless it has one already.
  func at(column: Int) -> TimingFunctionError {
    TimingFunctionError(column: self.column ?? column, problem, remedy: remedy)
  }

  /// The whole message in one line.
  public var description: String {
    (column.map { "column \($0): " } ?? "") + problem + "; " + remedy
  }
}
