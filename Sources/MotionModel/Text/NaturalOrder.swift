/// Natural sort order for names: digits count as the number that they make, so that `lamp2` comes before `lamp10`.
public enum NaturalOrder {
  /// Returns whether `a` is sorted before `b`. A strict total order: texts that differ only in leading zeros are
  /// ordered by their bytes. Linear in the length of the shorter text, without allocation.
  public static func isBefore(_ a: String, _ b: String) -> Bool {
    var left = a.utf8[...]
    var right = b.utf8[...]
    while let first = left.first, let second = right.first {
      if isDigit(first), isDigit(second) {
        let (x, y) = (takeNumber(&left), takeNumber(&right))
        if x.count != y.count { return x.count < y.count }
        if !x.elementsEqual(y) { return x.lexicographicallyPrecedes(y) }
      } else {
        if first != second { return first < second }
        left.removeFirst()
        right.removeFirst()
      }
    }
    if left.isEmpty != right.isEmpty { return left.isEmpty }
    return a < b
  }

  /// Returns the leading digits without leading zeros: of two such texts, the longer one is the larger number.
  private static func takeNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
