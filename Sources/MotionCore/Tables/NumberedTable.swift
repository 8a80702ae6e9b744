import MotionModel

/// A number that is given out once, counting up.
protocol Numbered {
  var rawValue: UInt32 { get }
  init(_ rawValue: UInt32)
}

extension ExecutorHandle: Numbered {}
extension PropertyHandle: Numbered {}

/// Elements by numbers that are given out in order and never reused: an array in pages, of which empty ones are
/// dropped.
///
/// A look-up costs two array accesses and no hash. Each ``pageCount`` numbers cost 16 bytes for ever.
struct NumberedTable<Key: Numbered, Element> {
  /// Numbers on a page: a page with one element left takes 2 kB at most.
  static var pageCount: Int { 256 }

  private struct Page {
    var elements: [Element?] = []
    var count = 0
  }

  private var pages: [Page] = []
  /// How many elements there are.
  private(set) var count = 0

  subscript(key: Key) -> Element? {
    get {
      let (page, index) = Self.place(of: key)
      guard page < pages.count, index < pages[page].elements.count else { return nil }
      return pages[page].elements[index]
    }
    set {
      let (page, index) = Self.place(of: key)
      if let newValue {
        insert(newValue, page, index)
      } else {
        remove(page, index)
      }
    }
  }

  private mutating func insert(_ element: Element, _ page: Int, _ index: Int) {
    while page >= pages.count { pages.append(Page()) }
    while index >= pages[page].elements.count { pages[page].elements.append(nil) }
    if pages[page].elements[index] == nil {
      pages[page].count += 1
      count += 1
    }
    pages[page].elements[index] = element
  }

  private mutating func remove(_ page: Int, _ index: Int) {
    guard page < pages.count, index < pages[page].elements.count, pages[page].elements[index] != nil else { return }
    pages[page].count -= 1
    count -= 1
    if pages[page].count == 0 { pages[page].elements = [] } else { pages[page].elements[index] = nil }
  }

  /// Removes an element.
  mutating func removeValue(forKey key: Key) -> Element? {
    guard let element = self[key] else { return nil }
    self[key] = nil
    return element
  }

  /// The numbers in use, in order.
  var keys: [Key] {
    pages.indices.flatMap { page in
      pages[page].elements.indices.compactMap { index in
        pages[page].elements[index].map { _ in Key(UInt32(page * Self.pageCount + index)) }
      }
    }
  }

  /// The elements, in order of their numbers. An array, because a lazy sequence is not specialised for its elements in
  /// other modules: the simulation spent a fifth of its time on visiting them.
  var values: [Element] {
    var values: [Element] = []
    values.reserveCapacity(count)
    for page in pages {
      for case let element? in page.elements { values.append(element) }
    }
    return values
  }

  /// Visits the elements from a number on, in order, until `body` returns false or so many places were visited; an
  /// empty page is one place.
  ///
  /// - Returns: the number to continue with; the one after `end` when there are no more.
  func visit(
    from start: UInt64, through end: Key, atMost count: Int, _ body: (Key, Element) -> Bool
  ) -> UInt64 {
    let end = UInt64(end.rawValue)
    var (number, left) = (start, count)
    while number <= end, left > 0 {
      left -= 1
      let (page, index) = (Int(number) / Self.pageCount, Int(number) % Self.pageCount)
      guard page < pages.count else { return end + 1 }
      guard index < pages[page].elements.count else {
        number = UInt64(page + 1) * UInt64(Self.pageCount)
        continue
      }
      let key = Key(UInt32(number))
      number += 1
      if let element = pages[page].elements[index], !body(key, element) { return number }
    }
    return min(number, end + 1)
  }

  private static func place(of key: Key) -> (page: Int, index: Int) {
    (Int(key.rawValue) / pageCount, Int(key.rawValue) % pageCount)
  }
}
