/// Counts durations in buckets whose width grows with the duration, so that percentiles are exact to 3 % at whatever
/// size.
///
/// Up to 31 ns each nanosecond has a bucket; from there on each doubling is divided into 32 equal ones (the layout of
/// HdrHistogram). Adding is O(1) and allocates nothing; a percentile reads all 1024 buckets, which are 8 KB.
struct TimeHistogram: Hashable {
  /// The number of buckets of a doubling is two to this power: 32 of them are 3 % wide each at most.
  private static let precision = 5
  /// Durations of more than two to this power of nanoseconds, 69 s, count as that: a frame that late was no frame.
  private static let longestPower = 36
  private static let bucketCount = (longestPower - precision + 1) << precision

  /// How many durations were added.
  private(set) var count: UInt64 = 0
  /// The longest of them, in nanoseconds, exactly.
  private(set) var longest: Int64 = 0
  /// Their sum, in seconds.
  private(set) var sumInSeconds = 0.0
  private var buckets = [UInt64](repeating: 0, count: bucketCount)

  /// Adds a duration; a negative one counts as zero.
  mutating func add(nanoseconds: Int64) {
    let length = max(0, nanoseconds)
    count += 1
    longest = max(longest, length)
    sumInSeconds += Double(length) * 1e-9
    buckets[Self.bucket(of: length)] += 1
  }

  /// Adds the counts of another histogram.
  mutating func add(_ other: TimeHistogram) {
    count += other.count
    longest = max(longest, other.longest)
    sumInSeconds += other.sumInSeconds
    for index in buckets.indices { buckets[index] += other.buckets[index] }
  }

  /// Clears the counts, and keeps its memory.
  mutating func clear() {
    guard count > 0 else { return }
    (count, longest, sumInSeconds) = (0, 0, 0)
    for index in buckets.indices { buckets[index] = 0 }
  }

  /// The duration that so many of a thousand do not exceed, in nanoseconds: at most 3 % too long, never too short, and
  /// never more than the longest. 0 if there is none.
  func length(notExceededBy perThousand: UInt64) -> Int64 {
    guard count > 0 else { return 0 }
    // Rounded up: of 3 durations the 99th percentile is the third.
    let (whole, rest) = count.quotientAndRemainder(dividingBy: 1000)
    var wanted = max(1, whole * perThousand + (rest * perThousand + 999) / 1000)
    for (index, count) in buckets.enumerated() {
      guard count < wanted else { return min(longest, Self.last(of: index)) }
      wanted -= count
    }
    return longest
  }

  /// How many durations were certainly not longer than `bound` nanoseconds: those of the buckets that end by then.
  /// Durations up to 3 % shorter may not be among them.
  func count(notLongerThan bound: Int64) -> UInt64 {
    var count: UInt64 = 0
    for (index, lengths) in buckets.enumerated() {
      guard Self.last(of: index) <= bound else { break }
      count += lengths
    }
    return count
  }

  private static func bucket(of length: Int64) -> Int {
    let power = Int64.bitWidth - 1 - length.leadingZeroBitCount
    guard power >= precision else { return Int(length) }
    guard power < longestPower else { return bucketCount - 1 }
    let shift = power - precision
    return (shift << precision) + Int(length >> shift)
  }

  /// The longest duration of a bucket.
  private static func last(of bucket: Int) -> Int64 {
    let shift = max(0, (bucket >> precision) - 1)
    let first = bucket - (shift << precision)
    return (Int64(first + 1) << shift) - 1
  }
}
