/// Finds the known name that a misspelt one was probably meant to be.
///
/// The distance is the number of single edits between two texts: a byte inserted, deleted, replaced, or two neighbours
/// swapped (optimal string alignment); capitals count as small letters. Cost is bounded whatever comes from outside:
/// at most ``longest`` bytes of at most ``mostCandidates`` names are looked at.
public enum NearestName {
  /// Longer texts are compared with nothing: every name that could be meant is shorter (``Limits``).
  public static let longest = 128
  /// So many candidates are looked at: more than all types of a well-stocked show.
  public static let mostCandidates = 4096
  /// So many names are listed when none is near; a longer list would hide the message.
  static let mostListed = 24

  /// The candidate nearest to `text`, the first of equals; `nil` if none is near enough to be meant.
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

  /// What to do about an unknown name: the nearest known one, or else all that are known.
  ///
  /// - Parameters:
  ///   - text: the unknown name.
  ///   - candidates: the known ones.
  ///   - plural: what the candidates are, for the list: "fields".
  public static func remedy(for text: String, among candidates: [String], plural: String) -> String {
    if let name = suggestion(for: text, among: candidates) { return "Did you mean \"\(name)\"?" }
    if candidates.isEmpty { return "There are no \(plural)." }
    let rest = candidates.count - mostListed
    return "Known \(plural): \(candidates.prefix(mostListed).joined(separator: ", "))"
      + (rest > 0 ? " and \(rest) more." : ".")
  }

  /// The optimal string alignment distance, by rows of the usual table: O(a · b) time, O(b) memory.
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

  /// The bytes with ASCII capitals made small; a little more than ``longest`` of them, so that too long stays too long.
  private static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.prefix(longest + 1).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
