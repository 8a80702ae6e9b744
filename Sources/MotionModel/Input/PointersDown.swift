/// The pointers that are down according to the input so far, so that none stays down when its sender disconnects.
public struct PointersDown: Hashable, Sendable {
  private struct Pointer: Hashable {
    let target: TargetName
    let device: DeviceName
    let id: UInt64
  }

  private var locations: [Pointer: SIMD2<Double>] = [:]

  /// Creates a record in which no pointer is down.
  public init() {}

  /// Whether no pointer is down.
  public var isEmpty: Bool { locations.isEmpty }

  /// The number of pointers that are down.
  public var count: Int { locations.count }

  /// Records an input.
  public mutating func take(_ input: PointerInput) {
    for event in input.events {
      let pointer = Pointer(target: input.target, device: input.device, id: event.id)
      switch event.phase {
      case .down: locations[pointer] = event.location
      // A move of a pointer that is not down has no effect.
      case .move: if locations[pointer] != nil { locations[pointer] = event.location }
      case .up, .cancel: locations[pointer] = nil
      }
    }
  }

  /// Returns inputs that cancel all pointers at `time`, each at its last location, in an order that is the same at each
  /// run. Each target and device gets one message, or several of at most ``Limits/pointerEventsPerInput`` events.
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
