import MotionClient
import MotionCore
import MotionModel

/// What input devices give to read, in pieces of any length, and what gestures make of it.
enum Evdev {
  static func run(_ bytes: [UInt8], _ registry: ExecutorRegistry) throws {
    guard bytes.count > 2 else { return }
    let isMouse = bytes[0] & 1 == 1
    let surface = SIMD2(Double(bytes[0] >> 4) * 100, Double(bytes[0] >> 1 & 7) * 100)
    let range = Int32(bytes[1])
    let device: EvdevDevice = isMouse ? .mouse : .touchscreen(horizontal: 0...range, vertical: -range...range)
    var decoder = try EvdevDecoder(device, surface: surface)
    var order = PointerOrder(surface: surface)
    var events: [PointerEvent] = []
    let length = Int(bytes[2]) + 1
    var rest = bytes.dropFirst(3)
    while !rest.isEmpty {
      decoder.append(rest.prefix(length))
      rest = rest.dropFirst(length)
      try drain(&decoder, &order, into: &events)
    }
    let last = decoder.finish(at: 1)
    try order.take(last)
    try Pointers.play((events + last).prefix(40).map { PointerInput("ball", from: "hand", [$0]) }, registry)
  }

  private static func drain(
    _ decoder: inout EvdevDecoder, _ order: inout PointerOrder, into events: inout [PointerEvent]
  ) throws {
    while true {
      switch decoder.next() {
      case .events(let some):
        try require(!some.isEmpty, "a step without events")
        try order.take(some)
        events += some
      case .dropped:
        try require(order.down.isEmpty, "events were lost, and pointers \(order.down) are still down")
        decoder.resume(atSlot: 1)
      case .needsMoreBytes: return
      }
    }
  }
}

/// Pointers go down before they move, and up once, on the surface.
private struct PointerOrder {
  let surface: SIMD2<Double>
  private(set) var down: Set<UInt64> = []

  init(surface: SIMD2<Double>) { self.surface = surface }

  mutating func take(_ events: [PointerEvent]) throws {
    for event in events {
      let place = event.location
      try require(
        event.isWellFormed && (0...surface.x).contains(place.x) && (0...surface.y).contains(place.y),
        "\(event) on a surface of \(surface)")
      let fits =
        switch event.phase {
        case .down: down.insert(event.id).inserted
        case .move: down.contains(event.id)
        case .up, .cancel: down.remove(event.id) != nil
        }
      try require(fits, "\(event), while \(down) are down")
    }
  }
}
