/// Finds the known name that a misspelt one was probably meant to be.
///
/// The distance is the number of single edits between two texts: a byte inserted, deleted or replaced, or two
/// neighbours swapped (optimal string alignment). Capitals count as small letters. The cost is bounded for any input:
/// at most ``longest`` bytes of at most ``mostCandidates`` names are compared.
public enum NearestName {
  /// The longest text that is compared; every name that could be meant is shorter (``Limits``).
  public static let longest = 128
  /// The most candidates that are compared: more than all types of a large installation.
  public static let mostCandidates = 4096
  /// The most names that are listed when none is near; a longer list would hide the message.
  static let mostListed = 24

  /// Returns the candidate nearest to `text`, the first of equals; `nil` if none is near enough to be meant.
  ///
  /// Near enough is a third of the length of `text`, at least one edit: `durtion` finds `duration`, `x` does not find
  /// every name of one letter.
  public static func suggestion(for text: String, among candidates: some Sequence<String>) -> String? {
    let wanted = lowercased(text)
    guard (1...longest).contains(wanted.count) else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates.prefix(mostCandidates) {
      let name = lowercased(candidate)
      let most = min((best?.distance ?? Int.max) - 1, max(1, wanted.count / 3), max(wanted.count, name.count) - 1)
      guard most >= 0, name.count <= longest, abs(name.count - wanted.count) <= most else { continue }
      let distance = distance(wanted, name)
      if distance <= most { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns the remedy for an unknown name: the nearest known name, or else a list of known names.
  ///
  /// - Parameters:
  ///   - text: the unknown name.
  ///   - candidates: the known names.
  ///   - plural: the noun for the candidates in the list: "fields".
  public static func remedy(for text: String, among candidates: [String], plural: String) -> String {
    if let name = suggestion(for: text, among: candidates) { return "Did you mean \"\(name)\"?" }
    if candidates.isEmpty { return "There are no \(plural)." }
    let rest = candidates.count - mostListed
    return "Known \(plural): \(candidates.prefix(mostListed).joined(separator: ", "))"
      + (rest > 0 ? " and \(rest) more." : ".")
  }

  /// Returns the optimal string alignment distance, by rows of the usual table: O(a · b) time, O(b) memory.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var row = last
    for i in a.indices {
      row[0] = i + 1
      for j in b.indices {
        let replaced = last[j] + (a[i] == b[j] ? 0 : 1)
        row[j + 1] = min(replaced, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1) }
      }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[b.count]
  }

  /// Returns the bytes with ASCII capitals in lower case. One more than ``longest`` is kept, so that a text that is too
  /// long stays too long.
  private static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.prefix(longest + 1).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
