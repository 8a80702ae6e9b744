import Glibc

/// A growing row of plain values whose memory the owner frees: an array without reference counts.
///
/// Elements are bitwise copyable, so that moving them is a copy of bytes, or, where they are many, a change of addresses:
/// growing at 65,536 motions took 4 ms when they were copied. Growth doubles the capacity; nothing else allocates.
/// Access is unchecked: ``SpringBank`` checks at its own border.
@usableFromInline
struct GrowingBuffer<Element: BitwiseCopyable> {
  @usableFromInline private(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline private(set) var count = 0
  private(set) var capacity: Int

  /// An empty buffer with room for 16 elements: most banks of a single runtime are that small.
  init() {
    precondition(MemoryLayout<Element>.alignment <= 16, "malloc aligns to 16 bytes")
    capacity = 16
    base = Self.resized(nil, to: capacity)
  }

  /// The corresponding C function is `realloc`.
  private static func resized(_ base: UnsafeMutablePointer<Element>?, to capacity: Int) -> UnsafeMutablePointer<Element>
  {
    guard let moved = realloc(base, capacity * MemoryLayout<Element>.stride) else {
      preconditionFailure("there is no memory for \(capacity) elements of a bank")
    }
    return moved.bindMemory(to: Element.self, capacity: capacity)
  }

  /// Ends the buffer's memory.
  ///
  /// The owner calls it once, and nothing afterwards.
  func deallocate() {
    free(base)
  }

  /// Makes room for at least so many elements.
  mutating func reserve(_ minimum: Int) {
    guard minimum > capacity else { return }
    capacity = max(minimum, capacity * 2)
    base = Self.resized(base, to: capacity)
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
