import MotionModel

/// Which pointers are down by what was sent, so that none stays down when whoever sends goes away.
struct PointersDown {
  private struct Pointer: Hashable {
    let target: TargetName
    let device: DeviceName
    let id: UInt64
  }

  private var locations: [Pointer: SIMD2<Double>] = [:]

  /// Whether none is.
  var isEmpty: Bool { locations.isEmpty }

  /// Takes note of what was sent.
  mutating func take(_ input: PointerInput) {
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

  /// What takes all of them away at `time`, each where it was last, in an order that is the same at each run.
  mutating func cancel(at time: Double) -> [PointerInput] {
    let pointers = locations.sorted { one, other in
      (one.key.target, one.key.device, one.key.id) < (other.key.target, other.key.device, other.key.id)
    }
    locations = [:]
    return InputMessages.messages(
      of: pointers.map { pointer, location in
        PointerTraceFile.Entry(
          pointer.target, from: pointer.device, PointerEvent(id: pointer.id, .cancel, at: location, time: time))
      }, shiftedBy: 0)
  }
}
