import MotionModel

/// The parallel arrays of an update, decoded in place.
///
/// The result is `nil` for everything that the conversion of the generated message refuses or would interpret
/// differently.
struct QuickArrays {
  private let bytes: UnsafeRawBufferPointer
  /// The byte ranges of the fields 3 to 9.
  private var ranges = Ranges()

  private struct Ranges {
    var executors, handles, counts, lanes, velocities, imposes, remaining: Range<Int>?
  }

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Records the range of a field; `false` if the field was there before.
  mutating func note(_ range: Range<Int>, of field: Int) -> Bool {
    func set(_ place: inout Range<Int>?) -> Bool {
      defer { place = range }
      return place == nil
    }
    return switch field {
    case 3: set(&ranges.executors)
    case 4: set(&ranges.handles)
    case 5: set(&ranges.counts)
    case 6: set(&ranges.lanes)
    case 7: set(&ranges.velocities)
    case 8: set(&ranges.imposes)
    default: set(&ranges.remaining)
    }
  }

  /// The writes, if the arrays fit together and each number is valid.
  func writes() -> [PropertyWrite]? {
    var (executors, handles, counts) = (cursor(ranges.executors), cursor(ranges.handles), cursor(ranges.counts))
    var (lanes, velocities) = (cursor(ranges.lanes), cursor(ranges.velocities))
    var (imposes, remaining) = (cursor(ranges.imposes), cursor(ranges.remaining))
    let (isImposing, hasRemaining) = (!imposes.isAtEnd, !remaining.isAtEnd)
    guard lanes.left <= Limits.valuesPerUpdate * 8 else { return nil }
    var writes: [PropertyWrite] = []
    // A valid count takes one byte.
    writes.reserveCapacity(counts.left)
    while !handles.isAtEnd {
      guard let executor = executors.varint().flatMap({ UInt32(exactly: $0) }),
        let handle = handles.varint().flatMap({ UInt32(exactly: $0) }),
        let count = counts.varint(), (1...UInt64(Limits.lanes)).contains(count),
        let value = lanes.lanes(Int(count)), let velocity = velocities.lanes(Int(count))
      else { return nil }
      var imposed = Imposed()
      if isImposing {
        guard let bits = imposes.varint(), let byte = UInt8(exactly: bits) else { return nil }
        imposed = Imposed(rawValue: byte)
      }
      var time: Double?
      if hasRemaining {
        guard let seconds = remaining.double(), seconds.isFinite else { return nil }
        time = seconds < 0 ? nil : seconds
      }
      writes.append(
        PropertyWrite(
          executor: ExecutorHandle(executor), property: PropertyHandle(handle),
          state: PropertyState(value, velocity: velocity), imposes: imposed, remaining: time))
    }
    let areAllRead = [executors, counts, lanes, velocities, imposes, remaining].allSatisfy(\.isAtEnd)
    return areAllRead ? writes : nil
  }

  private func cursor(_ range: Range<Int>?) -> Cursor { Cursor(bytes: bytes, range ?? 0..<0) }

  /// A cursor in packed numbers.
  private struct Cursor {
    let bytes: UnsafeRawBufferPointer
    var place: Int
    let end: Int

    init(bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
      self.bytes = bytes
      (place, end) = (range.lowerBound, range.upperBound)
    }

    var isAtEnd: Bool { place == end }
    var left: Int { end - place }

    /// A number in base 128 (varint) of at most five bytes, which is the maximum for 32 bits.
    mutating func varint() -> UInt64? {
      var (number, shift) = (UInt64(0), UInt64(0))
      while place < end, shift < 35 {
        let byte = bytes[place]
        place += 1
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
      return nil
    }

    mutating func double() -> Double? {
      guard left >= 8 else { return nil }
      defer { place += 8 }
      return Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
    }

    /// A value of `count` finite lanes.
    mutating func lanes(_ count: Int) -> Lanes? {
      var storage = SIMD4<Double>.zero
      for lane in 0..<count {
        guard let number = double(), number.isFinite else { return nil }
        storage[lane] = number
      }
      return Lanes(storage, count: count)
    }
  }
}
