public import MotionModel

/// One way to move, interrupted by another: the cues before each frame, and the driver of the property after them.
///
/// All motion is along one oblique line, so that one dimension describes all of it and no lane rests. A drama lists the
/// cues and plays nothing: the same drama is played in one process and by a daemon with its workers.
public struct Drama: Sendable {
  /// A message before a frame.
  public enum Cue: Sendable {
    /// A plan for the target; the first and the second have names.
    case commit(Intention, name: IntentionName?)
    /// A phase of a finger, and its place.
    case touch(PointerEvent.Phase, at: SIMD2<Double>)
  }

  /// Frames for which the second way is followed: three quarters of a second at 120 Hz.
  public static let aftermath = 90
  /// The frame of the second way in which its hand lets go, while it still moves at a third of its greatest velocity.
  private static let release = 30
  /// The distance that everything moves down for each unit to the right. Half of it the other way, so that both lanes
  /// move and may not be mistaken for each other; a power of two, so that what is true of one lane is true of the other
  /// to the last bit.
  static let slant = -0.5
  /// The number of frames of a toss's flight before the next cue.
  private static let flight = 10
  /// The destination of the first way, and of the second.
  private static let (first, second) = (100.0, -20.0)
  /// The velocity that friction has to brake, in units per second.
  private static let push = 400.0

  /// Which way is interrupted by which.
  public let pair: Pair
  /// The cues before each frame, from the first to the last.
  public private(set) var frames: [[Cue]] = [[]]
  /// The drivers of the property, one after the other.
  private(set) var legs: [Leg] = []
  /// The frame in which the second plan is committed.
  public private(set) var interruption = 0

  /// The forces of the plans so far.
  private var forces = Forces()
  private let forgetsVelocity: Bool

  /// A drama in which the second way begins when the first has lasted so many frames.
  ///
  /// - Parameter forgetsVelocity: Whether the second way, a spring, throws away the velocity that it finds: that is
  ///   what
  ///   has to be found.
  public init(_ pair: Pair, interruption: Int, forgettingVelocity forgetsVelocity: Bool = false) {
    self.pair = pair
    self.forgetsVelocity = forgetsVelocity
    playFirst(pair.first, frames: interruption)
    playSecond(pair.second)
  }

  private mutating func playFirst(_ way: Way, frames: Int) {
    if way == .friction {
      say(.commit(.springTo("position", [0, 0], initialVelocity: Self.lanes(Self.push)), name: nil))
      forces.destination = 0
    }
    commit(way, to: Self.first, named: "first")
    if way == .friction { legs[0].initialVelocity = Self.push }
    if way.needsHand { comeDown() }
    advance()
    for frame in 1...frames {
      if way.needsHand { say(.touch(.move, at: Self.point(Hand.place(frame)))) }
      advance()
    }
    guard way.needsHand else { return }
    // A finger lifts at its next place, not at its last one.
    say(.touch(.up, at: Self.point(Hand.place(frames + 1))))
    guard way == .tossable else { return }
    letGo()
    advance(Self.flight)
  }

  private mutating func playSecond(_ way: Way) {
    interruption = now
    // A plan that is committed while a hand holds the property begins when the hand lets go.
    let isHeld = pair.first == .draggable
    commit(way, to: Self.second, named: "second", isHeld: isHeld)
    if isHeld, way == .draggable { letGo() }
    guard way.needsHand else { return advance(Self.aftermath) }
    // A property that is dragged has to exist first.
    advance(way == .tossable ? Self.flight : 1)
    comeDown()
    advance()
    for frame in 1...Self.aftermath {
      if frame <= Self.release { say(.touch(frame < Self.release ? .move : .up, at: Self.point(Hand.place(frame)))) }
      if frame == Self.release { letGo() }
      advance()
    }
  }

  /// Adds the cue for a plan, and notes the property's driver from then on.
  private mutating func commit(_ way: Way, to destination: Double, named name: IntentionName, isHeld: Bool = false) {
    var intention = way.intention(to: Self.lanes(destination))
    if name == "second", forgetsVelocity { intention["initialVelocity"] = .vector([0, 0]) }
    say(.commit(intention, name: name))
    switch way {
    case .anchoredSpring, .tossable: forces.anchors.append(destination)
    case .springTo: forces.destination = destination
    case .friction: forces.friction += Way.frictionPerSecond
    case .tweenWithoutCarry, .tweenWithCarry: forces.destination = nil
    case .draggable: return
    }
    dropWhatFollowsTween()
    let cue = isHeld ? now + 1 : now
    guard way == .tweenWithCarry || way == .tweenWithoutCarry else {
      return legs.append(Leg(mover: .forces(forces), cue: cue, followsHand: isHeld))
    }
    let tween = Leg.Mover.tween(to: destination, carries: way == .tweenWithCarry)
    legs.append(Leg(mover: tween, cue: cue, followsHand: isHeld))
    legs.append(Leg(mover: forces.isEmpty ? .rest : .forces(forces)))
  }

  /// A hand takes hold: this ends a spring that ends on arrival.
  private mutating func comeDown() {
    say(.touch(.down, at: .zero))
    forces.destination = nil
    dropWhatFollowsTween()
    legs.append(Leg(mover: .hand(down: now), cue: now))
  }

  /// The hand has been lifted: the remaining plans continue with its velocity, or none does, and the property rests.
  private mutating func letGo() {
    legs.append(
      forces.isEmpty
        ? Leg(mover: .rest, cue: now, followsHand: true)
        : Leg(mover: .forces(forces), cue: now + 1, followsHand: true))
  }

  /// A tween that is interrupted does not end by itself.
  private mutating func dropWhatFollowsTween() {
    if let last = legs.last, last.cue == nil { legs.removeLast() }
  }

  /// The place so far to the right on the line of all motion.
  private static func point(_ x: Double) -> SIMD2<Double> { [x, x * slant] }
  private static func lanes(_ x: Double) -> Lanes { [x, x * slant] }

  private var now: Int { frames.count - 1 }

  private mutating func say(_ cue: Cue) { frames[now].append(cue) }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count { frames.append([]) }
  }
}
