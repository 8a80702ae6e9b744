/// A growing row of plain values whose memory the owner frees: an array without reference counts.
///
/// Elements are bitwise copyable, so that moving them is a copy of bytes. Growth doubles the capacity; nothing else
/// allocates. Access is unchecked: ``SpringBank`` checks at its own border.
@usableFromInline
struct GrowingBuffer<Element: BitwiseCopyable> {
  @usableFromInline private(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline private(set) var count = 0
  private(set) var capacity: Int

  /// An empty buffer with room for 16 elements: most banks of a single runtime are that small.
  init() {
    capacity = 16
    base = .allocate(capacity: capacity)
  }

  /// Ends the buffer's memory.
  ///
  /// The owner calls it once, and nothing afterwards.
  func deallocate() {
    base.deallocate()
  }

  /// Makes room for at least so many elements.
  mutating func reserve(_ minimum: Int) {
    guard minimum > capacity else { return }
    let roomier = max(minimum, capacity * 2)
    let moved = UnsafeMutablePointer<Element>.allocate(capacity: roomier)
    moved.moveInitialize(from: base, count: count)
    base.deallocate()
    base = moved
    capacity = roomier
  }

  /// Appends an element; O(1) amortised, and without allocation where ``reserve(_:)`` made room.
  mutating func append(_ element: Element) {
    reserve(count + 1)
    (base + count).initialize(to: element)
    count += 1
  }

  /// Takes the last element away; nil if there is none.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return base[count]
  }
}
