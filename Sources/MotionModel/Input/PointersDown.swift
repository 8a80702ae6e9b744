/// Which pointers are down by what was said of them, so that none stays down when whoever says it goes away.
public struct PointersDown: Hashable, Sendable {
  private struct Pointer: Hashable {
    let target: TargetName
    let device: DeviceName
    let id: UInt64
  }

  private var locations: [Pointer: SIMD2<Double>] = [:]

  /// None is.
  public init() {}

  /// Whether none is.
  public var isEmpty: Bool { locations.isEmpty }

  /// How many are.
  public var count: Int { locations.count }

  /// Takes note of what was said.
  public mutating func take(_ input: PointerInput) {
    for event in input.events {
      let pointer = Pointer(target: input.target, device: input.device, id: event.id)
      switch event.phase {
      case .down: locations[pointer] = event.location
      // One that moves without having come down is nothing to anybody.
      case .move: if locations[pointer] != nil { locations[pointer] = event.location }
      case .up, .cancel: locations[pointer] = nil
      }
    }
  }

  /// What takes all of them away at `time`, each where it was last, in an order that is the same at each run: a message
  /// for each target and device, or several of at most ``Limits/pointerEventsPerInput`` events.
  public mutating func cancel(at time: Double) -> [PointerInput] {
    let pointers = locations.sorted { one, other in
      (one.key.target, one.key.device, one.key.id) < (other.key.target, other.key.device, other.key.id)
    }
    locations = [:]
    var inputs: [PointerInput] = []
    for (pointer, location) in pointers {
      let event = PointerEvent(id: pointer.id, .cancel, at: location, time: time)
      inputs.append(event, on: pointer.target, from: pointer.device)
    }
    return inputs
  }
}
