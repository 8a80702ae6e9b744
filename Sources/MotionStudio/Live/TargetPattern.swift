package import MotionModel

/// The targets that a viewer wants channels of: names in which `*` stands for any text, separated by commas.
package struct TargetPattern: Hashable, Sendable, CustomStringConvertible {
  /// The longest pattern: some names.
  static let mostBytes = 1024

  /// The pattern as it was written.
  package let description: String
  private let parts: [[UInt8]]

  /// Reads a pattern; `nil` if it is empty, too long or contains characters that no name has.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.mostBytes else { return nil }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let areNames = names.allSatisfy { name in
      // With the stars replaced by a letter, it has to be a name.
      (try? TargetName(String(name.map { $0 == "*" ? "a" : $0 }))) != nil
    }
    guard areNames else { return nil }
    description = text
    parts = names.map { Array($0.utf8) }
  }

  /// Whether a target matches. Costs at most the product of both lengths.
  package func matches(_ target: TargetName) -> Bool {
    let name = Array(target.text.utf8)
    return parts.contains { Self.matches($0, name) }
  }

  /// Goes back only to the last star: a star takes as little as it can, and more when what follows does not fit.
  private static func matches(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
    var (at, place) = (0, 0)
    var star: (at: Int, place: Int)?
    while place < name.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == name[place] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        star = (last.at, last.place + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
