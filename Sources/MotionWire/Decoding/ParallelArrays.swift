import MotionModel

/// The checks that parallel arrays of values belong together.
enum ParallelArrays {
  /// Checks that there are as many `counts` as `handles`, that each is 1 to 4, and that they add up to the lanes.
  /// Returns the counts as bytes. Linear in the arrays; allocates the result only.
  static func counts(_ counts: [UInt32], handles: Int, lanes: Int) throws(WireError) -> [UInt8] {
    try equal("counts", counts.count, "handles", handles)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(counts.count)
    var sum = 0
    for (index, count) in counts.enumerated() {
      guard count >= 1, count <= UInt32(Limits.lanes) else {
        throw WireError(
          .value, field: "counts[\(index)]", "\(count) is no number of lanes", remedy: "Use 1 to \(Limits.lanes)")
      }
      sum += Int(count)
      bytes.append(UInt8(count))
    }
    guard sum == lanes else {
      throw WireError(
        .value, field: "lanes", "there are \(lanes), but counts add up to \(sum)",
        remedy: "Send as many lanes as the sum of the counts")
    }
    return bytes
  }

  /// Checks that the array `field` has as many elements as the array `other`.
  static func equal(_ field: String, _ count: Int, _ other: String, _ otherCount: Int) throws(WireError) {
    guard count == otherCount else {
      throw WireError(
        .value, field: field, "it has \(count) elements, but \(other) has \(otherCount)",
        remedy: "Send arrays of equal length")
    }
  }

  /// Checks the same for an array that may be left out.
  static func equalOrEmpty(_ field: String, _ count: Int, _ other: String, _ otherCount: Int) throws(WireError) {
    if count > 0 { try equal(field, count, other, otherCount) }
  }
}
