import MotionModel
import SwiftProtobuf

extension ProtoInput: WireRepresentation {
  init(_ input: PointerInput) {
    target = input.target.text
    device = input.device.text
    events = input.events.map(ProtoPointerEvent.init)
  }

  func model() throws(WireError) -> PointerInput {
    PointerInput(
      try Decode.name(target, "target"), from: try Decode.name(device, "device"),
      try Decode.list(events, "events", atMost: Limits.pointerEventsPerInput))
  }
}

extension ProtoInput {
  init(_ input: InputValues) {
    device = input.device.text
    values = input.values.map(ProtoInputValue.init)
  }

  /// The values that the message carries; its errors are placed at `input`.
  func decodedValues() throws(WireError) -> InputValues {
    guard events.isEmpty, target.isEmpty else {
      throw WireError(
        .value, field: "input.values", "it has values besides \(events.isEmpty ? "a target" : "events")",
        remedy: "Send the pointer events of a target and values in two messages")
    }
    do {
      return InputValues(
        from: try Decode.name(device, "device"), try Decode.list(values, "values", atMost: Limits.inputValues))
    } catch {
      throw error.within("input")
    }
  }
}

extension ProtoInputValue: WireRepresentation {
  init(_ value: InputValue) {
    name = value.name.text
    lanes = value.value?.array ?? []
    time = value.time
    hold = value.isHeld
  }

  func model() throws(WireError) -> InputValue {
    InputValue(
      try Decode.name(name, "name"), lanes.isEmpty ? nil : try Decode.lanes(lanes, "lanes"),
      time: try Decode.finite(time, "time"), isHeld: hold)
  }
}

extension ProtoPointerEvent: WireRepresentation {
  init(_ event: PointerEvent) {
    id = event.id
    phase =
      switch event.phase {
      case .down: .down
      case .move: .move
      case .up: .up
      case .cancel: .cancel
      }
    x = event.location.x
    y = event.location.y
    time = event.time
  }

  func model() throws(WireError) -> PointerEvent {
    let phase: PointerEvent.Phase
    switch self.phase {
    case .down: phase = .down
    case .move: phase = .move
    case .up: phase = .up
    case .cancel: phase = .cancel
    case .unspecified, .UNRECOGNIZED: throw WireError.unknown(self.phase.rawValue).within("phase")
    }
    return PointerEvent(
      id: id, phase, at: SIMD2(try Decode.finite(x, "x"), try Decode.finite(y, "y")),
      time: try Decode.finite(time, "time"))
  }
}
