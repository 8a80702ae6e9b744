import MotionModel

extension ProtoDrivers.Change: WireRepresentation {
  init(_ change: DriverChange) {
    property = ProtoPropertyReference(change.reference)
    frame = change.frame
    time = change.time
    if let driver = change.driver { self.driver = ProtoDrivers.Driver(driver) }
  }

  func model() throws(WireError) -> DriverChange {
    DriverChange(
      try Decode.required(hasProperty, property, "property"), frame: frame, time: try Decode.finite(time, "time"),
      driver: hasDriver ? try Decode.part(driver, "driver") : nil)
  }
}

extension ProtoDrivers.Driver: WireRepresentation {
  init(_ driver: DriverChange.Driver) {
    executor = driver.executor.text
    identity = ProtoIntentionIdentity(driver.identity)
    type = driver.type.text
    if let name = driver.name { self.name = name.text }
  }

  func model() throws(WireError) -> DriverChange.Driver {
    DriverChange.Driver(
      executor: try Decode.name(executor, "executor"), identity: try Decode.required(hasIdentity, identity, "identity"),
      type: try Decode.name(type, "type"), name: try Decode.name(hasName, name, "name"))
  }
}
