import MotionModel
import SwiftProtobuf

extension ProtoLimitSetting: WireRepresentation {
  init(_ setting: LimitSetting) {
    guard case .limits(let limits) = setting else {
      none = true
      return
    }
    lower = limits.range?.lower.array ?? []
    upper = limits.range?.upper.array ?? []
    velocity = limits.velocity?.array ?? []
    acceleration = limits.acceleration?.array ?? []
    jerk = limits.jerk?.array ?? []
    guard let rule = limits.onLost else { return }
    onLost = OnLost()
    guard case .ramp(let value, let seconds) = rule else { return }
    (onLost.value, onLost.seconds) = (value.array, seconds)
  }

  func model() throws(WireError) -> LimitSetting {
    guard !none else { return .none }
    let limits = PropertyLimits(
      range: try range(), velocity: try Self.lanes(velocity, "velocity"),
      acceleration: try Self.lanes(acceleration, "acceleration"), jerk: try Self.lanes(jerk, "jerk"),
      onLost: try rule())
    return .limits(limits)
  }

  private func rule() throws(WireError) -> LossRule? {
    guard hasOnLost else { return nil }
    guard let value = try Self.lanes(onLost.value, "on_lost.value") else { return .hold }
    return .ramp(value, in: try Decode.seconds(onLost.seconds, "on_lost.seconds"))
  }

  private func range() throws(WireError) -> PropertyLimits.Range? {
    switch (try Self.lanes(lower, "lower"), try Self.lanes(upper, "upper")) {
    case (let lower?, let upper?): return PropertyLimits.Range(lower, upper)
    case (nil, nil): return nil
    default: throw WireError(.value, field: "lower", "a range has both bounds or none")
    }
  }

  private static func lanes(_ numbers: [Double], _ field: StaticString) throws(WireError) -> Lanes? {
    numbers.isEmpty ? nil : try Decode.lanes(numbers, field)
  }
}

extension ProtoOperation.Limit {
  init(_ property: PropertyName, _ target: TargetName, _ setting: LimitSetting) {
    self.property = property.text
    on = target.text
    self.setting = ProtoLimitSetting(setting)
  }

  func parts() throws(WireError) -> (property: PropertyName, target: TargetName, setting: LimitSetting) {
    (
      try Decode.name(property, "property"), try Decode.name(on, "on"),
      try Decode.required(hasSetting, setting, "setting")
    )
  }
}

extension ProtoCheckpoint.Governed: WireRepresentation {
  init(_ governed: RuntimeCheckpoint.Governed) {
    property = ProtoPropertyReference(governed.property)
    acceleration = governed.acceleration.array
    demand = ProtoPropertyState(governed.demand)
    demandAcceleration = governed.demandAcceleration.array
    driven = governed.isDriven
    pending = governed.isPending
    ramp = governed.ramp?.array ?? []
    guard let motion = governed.motion else { return }
    self.motion = ProtoPropertyState(motion.state)
    distance = motion.distance.array
  }

  func model() throws(WireError) -> RuntimeCheckpoint.Governed {
    RuntimeCheckpoint.Governed(
      try Decode.required(hasProperty, property, "property"),
      acceleration: try Decode.lanes(acceleration, "acceleration"),
      demand: try Decode.required(hasDemand, demand, "demand"),
      demandAcceleration: try Decode.lanes(demandAcceleration, "demand_acceleration"), isDriven: driven,
      isPending: pending,
      motion: hasMotion
        ? .init(try motion.model(), distance: try Decode.lanes(distance, "distance")) : nil,
      ramp: ramp.isEmpty ? nil : try Decode.lanes(ramp, "ramp"))
  }
}
