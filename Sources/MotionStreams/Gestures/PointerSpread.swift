import Glibc

/// The layout of pointers around their centre, to be compared with a later one. The comparison is the similarity
/// transform, without its translation, that fits best in the sense of least squares (Procrustes), for two pointers
/// exactly.
struct PointerSpread {
  /// The size below which pointers count as coincident, so that they neither spread nor turn: a thousandth of a unit is
  /// less than any device resolves.
  static let smallest = 1e-3

  private(set) var offsets: [SIMD2<Double>] = []
  /// The root of the sum of the squares of the distances from the centre; 0 for coincident pointers.
  private(set) var size = 0.0

  /// Measures the offsets of `pointers`.
  mutating func measure(_ pointers: PointerSet) {
    offsets.removeAll(keepingCapacity: true)
    size = 0
    guard let centre = pointers.centroid else { return }
    var squares = 0.0
    for pointer in pointers.pointers {
      let offset = pointer.location - centre
      offsets.append(offset)
      squares += (offset * offset).sum()
    }
    size = squares.squareRoot()
    if size < Self.smallest { size = 0 }
  }

  /// The factor from this spread to `other`, of the same pointers; `nil` if this one has no size.
  func scale(to other: PointerSpread) -> Double? { size > 0 ? other.size / size : nil }

  /// The angle from this spread to `other`, of the same pointers, from −π to π; `nil` if either has no size.
  func rotation(to other: PointerSpread) -> Double? {
    guard size > 0, other.size > 0, offsets.count == other.offsets.count else { return nil }
    var (along, across) = (0.0, 0.0)
    for index in offsets.indices {
      let (from, to) = (offsets[index], other.offsets[index])
      along += from.x * to.x + from.y * to.y
      across += from.x * to.y - from.y * to.x
    }
    return along == 0 && across == 0 ? nil : atan2(across, along)
  }
}
