/// The targets in order of first mention, by their numbers in the table of names.
///
/// Sorting a hundred thousand targets takes longer than a frame. This table costs four bytes for each, and a query that
/// is answered between frames continues from its position. Ordinals are given out in order and never reused.
struct TargetOrder {
  /// Ordinals on a page: a page with one target left takes 1 kB at most.
  private static let pageCount: UInt64 = 256

  /// By ordinal, the number of the target plus 1; 0 where the target was removed.
  private struct Page {
    var numbers: [UInt32] = []
    var count = 0
  }

  private var pages: [Page] = []

  /// Adds the newest target.
  mutating func append(_ number: UInt32, ordinal: UInt64) {
    let (page, index) = Self.place(of: ordinal)
    while page >= pages.count { pages.append(Page()) }
    while index >= pages[page].numbers.count { pages[page].numbers.append(0) }
    pages[page].numbers[index] = number + 1
    pages[page].count += 1
  }

  /// Removes a target.
  mutating func remove(ordinal: UInt64) {
    let (page, index) = Self.place(of: ordinal)
    pages[page].numbers[index] = 0
    pages[page].count -= 1
    if pages[page].count == 0 { pages[page].numbers = [] }
  }

  /// Visits the targets from an ordinal on, in order, until `body` returns false or so many places were visited; an
  /// empty page is one place.
  ///
  /// - Returns: the ordinal to continue with; the one after `end` when there are no more.
  func visit(
    from start: UInt64, through end: UInt64, atMost count: Int, _ body: (_ number: Int) -> Bool
  ) -> UInt64 {
    var (ordinal, left) = (start, count)
    while ordinal <= end, left > 0 {
      left -= 1
      let (page, index) = Self.place(of: ordinal)
      guard page < pages.count else { return end + 1 }
      guard index < pages[page].numbers.count else {
        ordinal = UInt64(page + 1) * Self.pageCount
        continue
      }
      ordinal += 1
      let number = pages[page].numbers[index]
      if number != 0, !body(Int(number) - 1) { return ordinal }
    }
    return min(ordinal, end + 1)
  }

  private static func place(of ordinal: UInt64) -> (page: Int, index: Int) {
    (Int(ordinal / pageCount), Int(ordinal % pageCount))
  }
}
