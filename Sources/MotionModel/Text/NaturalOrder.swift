/// Natural sort order for names: digits count as the number that they make, so that `lamp2` comes before `lamp10`.
public enum NaturalOrder {
  /// Returns whether `a` is sorted before `b`. A strict total order: texts that differ only in leading zeros are
  /// ordered by their bytes. Linear in the length of the shorter text, without allocation.
  public static func isBefore(_ a: String, _ b: String) -> Bool {
    var (a, b) = (a, b)
    return a.withUTF8 { left in b.withUTF8 { right in precedes(left, right) } }
  }

  private static func precedes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    var (left, right) = (0, 0)
    while left < a.count, right < b.count {
      let (first, second) = (a[left], b[right])
      guard isDigit(first), isDigit(second) else {
        if first != second { return first < second }
        left += 1
        right += 1
        continue
      }
      // Without leading zeros, the longer number is the larger one.
      skipZeros(a, &left)
      skipZeros(b, &right)
      let (x, y) = (endOfDigits(a, left), endOfDigits(b, right))
      if x - left != y - right { return x - left < y - right }
      while left < x {
        if a[left] != b[right] { return a[left] < b[right] }
        left += 1
        right += 1
      }
    }
    if (left == a.count) != (right == b.count) { return left == a.count }
    return a.lexicographicallyPrecedes(b)
  }

  private static func skipZeros(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
    while place < text.count, text[place] == UInt8(ascii: "0") { place += 1 }
  }

  private static func endOfDigits(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
    var end = place
    while end < text.count, isDigit(text[end]) { end += 1 }
    return end
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
