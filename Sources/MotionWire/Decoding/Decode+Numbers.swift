import MotionModel

extension Decode {
  /// A number that is neither infinite nor NaN.
  static func finite(_ number: Double, _ field: StaticString) throws(WireError) -> Double {
    guard number.isFinite else { throw notFinite("\(field)", number) }
    return number
  }

  /// A finite number, or `nil` if the number is absent.
  static func finite(_ isThere: Bool, _ number: Double, _ field: StaticString) throws(WireError) -> Double? {
    isThere ? try finite(number, field) : nil
  }

  /// A number in `range`.
  static func number(
    _ number: Double, _ field: StaticString, in range: ClosedRange<Double>
  ) throws(WireError) -> Double {
    guard range.contains(number) else {
      throw WireError(
        .value, field: "\(field)", "\(number) is out of range",
        remedy: "Use \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A span of time in seconds: finite and not negative.
  static func seconds(_ number: Double, _ field: StaticString) throws(WireError) -> Double {
    try self.number(number, field, in: 0...Double.greatestFiniteMagnitude)
  }

  /// Checks that all numbers are finite.
  static func finite(_ numbers: [Double], _ field: StaticString) throws(WireError) {
    guard let index = numbers.firstIndex(where: { !$0.isFinite }) else { return }
    throw notFinite("\(field)[\(index)]", numbers[index])
  }

  /// A value of one to four finite lanes.
  static func lanes(_ numbers: [Double], _ field: StaticString) throws(WireError) -> Lanes {
    guard let lanes = Lanes(numbers) else {
      throw WireError(
        .value, field: "\(field)", "it has \(numbers.count) numbers", remedy: "Send 1 to \(Limits.lanes) numbers")
    }
    try finite(numbers, field)
    return lanes
  }

  /// The highest number of a frame or of a transaction that is accepted, because others follow it. At a thousand a
  /// second it is reached after a hundred million years.
  static let highestOrdinal: UInt64 = 1 << 62

  /// The number of a frame or of a transaction.
  static func ordinal(_ number: UInt64, _ field: StaticString) throws(WireError) -> UInt64 {
    guard number <= highestOrdinal else {
      throw WireError(
        .value, field: "\(field)", "\(number) is out of range", remedy: "Count from 1, by one each time")
    }
    return number
  }

  /// A number as a byte; an error if it does not fit.
  static func byte(_ number: UInt32, _ field: StaticString, index: Int) throws(WireError) -> UInt8 {
    guard let byte = UInt8(exactly: number) else {
      throw WireError(.value, field: "\(field)[\(index)]", "\(number) is out of range", remedy: "Use 0 to 255")
    }
    return byte
  }

  private static func notFinite(_ field: String, _ number: Double) -> WireError {
    WireError(.value, field: field, "\(number) is not a finite number", remedy: "Send finite numbers only")
  }
}
