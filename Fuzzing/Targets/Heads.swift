import MotionJournal

/// The file of a journal's head: whatever it holds, what counts was written whole.
enum Heads {
  static func run(_ bytes: [UInt8]) throws {
    try check(bytes)
    // Behind a digest that fits, which nobody finds by chance.
    let content = bytes.prefix(HeadSlot.byteCount - Digest.byteCount)
    try check(Array(content) + Digest(of: Array(content)).bytes + bytes.dropFirst(content.count))
  }

  private static func check(_ file: [UInt8]) throws {
    guard let slot = HeadSlot.newest(in: file) else { return }
    let starts = [0, HeadSlot.distance]
    try require(
      starts.contains { file.dropFirst($0).starts(with: slot.encoded) }, "the file does not hold what is read: \(slot)")
    try require(HeadSlot(slot.encoded[...]) == slot, "\(slot) is written so that it is read otherwise")
  }
}
