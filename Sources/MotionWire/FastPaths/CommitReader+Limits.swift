import MotionModel

extension CommitReader {
  /// The limits of a property.
  static func limit(_ message: WireReader) throws(WireFault) -> Transaction.Operation {
    var reader = message
    var property: PropertyName?
    var target: TargetName?
    var setting: LimitSetting?
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2: property = try reader.name()
      case 2 << 3 | 2: target = try reader.name()
      case 3 << 3 | 2 where setting == nil: setting = try Self.setting(reader.message())
      default: throw .unusual
      }
    }
    guard let property, let target, let setting else { throw .unusual }
    return .limit(property, of: target, setting)
  }

  private static func setting(_ message: WireReader) throws(WireFault) -> LimitSetting {
    var reader = message
    guard !reader.isAtEnd else { return .limits(PropertyLimits()) }
    var (lower, upper): (Lanes?, Lanes?) = (nil, nil)
    var limits = PropertyLimits()
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3:
        // Whatever else it states does not apply.
        guard try reader.number() == 1, reader.isAtEnd, limits.isEmpty, lower == nil, upper == nil else {
          throw .unusual
        }
        return .none
      case 2 << 3 | 2 where lower == nil: lower = try Self.lanes(reader.message())
      case 3 << 3 | 2 where upper == nil: upper = try Self.lanes(reader.message())
      case 4 << 3 | 2 where limits.velocity == nil: limits.velocity = try Self.lanes(reader.message())
      case 5 << 3 | 2 where limits.acceleration == nil: limits.acceleration = try Self.lanes(reader.message())
      case 6 << 3 | 2 where limits.jerk == nil: limits.jerk = try Self.lanes(reader.message())
      case 7 << 3 | 2 where limits.onLost == nil: limits.onLost = try Self.rule(reader.message())
      default: throw .unusual
      }
    }
    switch (lower, upper) {
    case (let lower?, let upper?): limits.range = PropertyLimits.Range(lower, upper)
    case (nil, nil): break
    default: throw .unusual
    }
    return .limits(limits)
  }

  private static func rule(_ message: WireReader) throws(WireFault) -> LossRule {
    var reader = message
    var (value, seconds) = (Lanes?.none, 0.0)
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2 where value == nil: value = try Self.lanes(reader.message())
      case 2 << 3 | 1: seconds = try reader.finite()
      default: throw .unusual
      }
    }
    guard seconds >= 0 else { throw .unusual }
    return value.map { .ramp($0, in: seconds) } ?? .hold
  }

  private static func lanes(_ message: WireReader) throws(WireFault) -> Lanes {
    var packed = message
    let count = packed.count / 8
    guard packed.count % 8 == 0, (1...Limits.lanes).contains(count) else { throw .unusual }
    return try packed.lanes(count)
  }
}
