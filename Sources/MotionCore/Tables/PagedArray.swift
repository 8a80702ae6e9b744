/// An array that grows without moving its elements: by pages.
///
/// With millions of large elements, moving them takes longer than a frame: an array of 65,536 properties took 8 ms to
/// grow. An access costs one array access more.
struct PagedArray<Element> {
  /// Elements on a page: large enough that there are few pages, small enough that creating one costs nothing.
  private static var pageCount: Int { 1024 }

  private var pages: [[Element]] = []
  /// How many elements there are.
  private(set) var count = 0

  subscript(index: Int) -> Element {
    _read { yield pages[index / Self.pageCount][index % Self.pageCount] }
    _modify { yield &pages[index / Self.pageCount][index % Self.pageCount] }
  }

  /// Adds an element at the end; O(1).
  mutating func append(_ element: consuming Element) {
    if count == pages.count * Self.pageCount {
      pages.append([])
      // The first page grows on demand: most runtimes are small.
      if count > 0 { pages[pages.count - 1].reserveCapacity(Self.pageCount) }
    }
    pages[pages.count - 1].append(element)
    count += 1
  }
}
