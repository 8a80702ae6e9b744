import Glibc

/// What a touch does to a property over time: a polyline through what each event made of it.
///
/// Between two events the value moves evenly, so that its velocity is exactly the slope there; at an event it is the
/// slope of what follows, at the end that of what precedes.
struct GestureTrack: Hashable, Sendable {
  /// A moment at which the value is known.
  struct Knot: Hashable, Sendable {
    var time: Double
    var value: SIMD2<Double>
  }

  /// Where the movement is, and how fast it changes per second.
  struct Sample: Hashable, Sendable {
    var value: SIMD2<Double>
    var velocity: SIMD2<Double>
  }

  /// Two or more, of rising time.
  let knots: [Knot]

  /// The track through `knots`, of which those at the same time count as the last one; `nil` if less than two remain.
  init?(_ knots: [Knot]) {
    var distinct: [Knot] = []
    for knot in knots {
      if let last = distinct.last, knot.time <= last.time { distinct.removeLast() }
      distinct.append(knot)
    }
    guard distinct.count >= 2 else { return nil }
    self.knots = distinct
  }

  /// When it begins, in seconds from the beginning of the touch.
  var start: Double { knots[0].time }

  /// When it ends.
  var end: Double { knots[knots.count - 1].time }

  /// The movement at `time`, held at both ends.
  func sample(at time: Double) -> Sample {
    var low = 0
    var high = knots.count - 1
    while low + 1 < high {
      let middle = (low + high) / 2
      if knots[middle].time <= time { low = middle } else { high = middle }
    }
    let (from, to) = (knots[low], knots[high])
    let slope = (to.value - from.value) / (to.time - from.time)
    let elapsed = min(max(time, from.time), to.time) - from.time
    return Sample(value: elapsed == to.time - from.time ? to.value : from.value + slope * elapsed, velocity: slope)
  }

  /// The part after the value has moved further than `distance` from its beginning, counted from there; `nil` if it
  /// never does.
  func leaving(distance: Double) -> GestureTrack? {
    guard distance > 0 else { return self }
    let origin = knots[0].value
    guard
      let index = knots.firstIndex(where: { knot in
        let way = knot.value - origin
        return hypot(way.x, way.y) > distance
      })
    else { return nil }
    let left = knots[index].value
    return GestureTrack(knots[index...].map { Knot(time: $0.time, value: $0.value - left) })
  }
}

/// The three movements of a touch: how far its centre goes, and how far two of its fingers spread and turn.
struct GestureTracks: Hashable, Sendable {
  /// The way of the centre of all pointers, (0, 0) at first. A pointer that joins or leaves makes no jump.
  let translation: GestureTrack?
  /// The factor by which the first two pointers spread, 1 at first, in the first lane.
  let scale: GestureTrack?
  /// The angle by which they turn, in radians, 0 at first and continuous, in the first lane.
  let rotation: GestureTrack?

  /// The movements of `trace`. Linear in its events.
  init(_ trace: PointerTrace) {
    var centre = CentreTracker()
    var pair = PairTracker()
    for event in trace.events {
      centre.take(event)
      pair.take(event)
    }
    translation = GestureTrack(centre.knots)
    scale = GestureTrack(pair.scaleKnots)
    rotation = GestureTrack(pair.rotationKnots)
  }
}

/// Follows the centre of all pointers.
private struct CentreTracker {
  private(set) var knots: [GestureTrack.Knot] = []
  private var locations: [Int: SIMD2<Double>] = [:]
  private var translation = SIMD2<Double>.zero

  mutating func take(_ event: PointerTrace.Event) {
    if let before = locations[event.pointer] {
      // One of n pointers moves the centre by an n-th of its way.
      translation += (event.location - before) / Double(locations.count)
    }
    let leaves = event.phase == .up || event.phase == .cancel
    locations[event.pointer] = leaves ? nil : event.location
    knots.append(.init(time: event.time, value: translation))
  }
}

/// Follows the first two pointers that are down together, until one of them leaves.
private struct PairTracker {
  private(set) var scaleKnots: [GestureTrack.Knot] = []
  private(set) var rotationKnots: [GestureTrack.Knot] = []
  private var pointers: [(id: Int, location: SIMD2<Double>)] = []
  private var startDistance = 0.0
  private var angle = 0.0
  private var turned = 0.0
  private var isOver = false

  mutating func take(_ event: PointerTrace.Event) {
    guard !isOver else { return }
    let wasPair = pointers.count == 2
    if let index = pointers.firstIndex(where: { $0.id == event.pointer }) {
      pointers[index].location = event.location
    } else if !wasPair {
      pointers.append((event.pointer, event.location))
    } else {
      return
    }
    if pointers.count == 2 { note(at: event.time, isFirst: !wasPair) }
    if event.phase == .up || event.phase == .cancel {
      isOver = pointers.count == 2
      pointers.removeAll { $0.id == event.pointer }
    }
  }

  private mutating func note(at time: Double, isFirst: Bool) {
    let span = pointers[1].location - pointers[0].location
    let distance = hypot(span.x, span.y)
    // Fingers on one point show no direction: the last one stands.
    let direction = distance > 0 ? atan2(span.y, span.x) : angle
    if isFirst {
      startDistance = distance
    } else {
      // The shorter way round, so that the angle goes on beyond half a turn.
      turned += remainder(direction - angle, 2 * Double.pi)
    }
    angle = direction
    // Fingers that began on one point have no ratio; they turn, but do not spread.
    let factor = startDistance > 0 ? distance / startDistance : 1
    scaleKnots.append(.init(time: time, value: SIMD2(factor, 0)))
    rotationKnots.append(.init(time: time, value: SIMD2(turned, 0)))
  }
}
