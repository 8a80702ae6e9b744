import MotionCore
import MotionModel
import MotionPhysics

/// A tween in flight: a plan made into a curve over time.
struct RunningTween {
  /// Where a tween is at a moment.
  struct Moment {
    /// The value and the velocity of its property.
    var state: PropertyState
    /// What of the state the plan sets by itself, if the property is taken over with this moment.
    var imposes: Imposed
    /// The seconds until it ends; `nil` if it goes on for ever.
    var remaining: Double?
    /// Whether it is over; the state is then final.
    var isFinished: Bool
  }

  let identity: IntentionIdentity
  let property: PropertyName
  /// The name it was added under, if any.
  let name: IntentionName?
  /// The simulated time at which it began, in seconds.
  let startTime: Double
  /// What the plan sets by itself: the value, unless it starts where the property is; the velocity, unless it carries one.
  private let imposes: Imposed
  private let curve: TweenCurve
  private let lanes: Int

  /// How near to its end, in seconds, a tween is over.
  ///
  /// The times of frames are sums of steps and carry their rounding, which at 10⁶ s of simulated time is 10⁻¹⁰ s. Without
  /// this a tween of 18 frames would now and then take 19.
  static let endTolerance = 1e-9

  /// For how long after its start a tween imposes anything, in seconds, or two frames if they are longer.
  ///
  /// A first value follows the start within a few frames. One that comes later comes from a worker that takes over in
  /// the middle (it is started again no sooner than after 100 ms), and then the property must not jump.
  static let imposingTime = 0.1

  /// Makes the curve of a plan.
  ///
  /// - Throws: `Refusal` with field and remedy if the fields do not make one.
  init(_ planned: PlannedIntention, named name: IntentionName?) throws(Refusal) {
    let tween = try TweenIntention(planned.intention)
    guard let start = planned.start(of: tween.property) else {
      throw Refusal(
        .fields, field: "property", "the plan came without the state of \(tween.property)",
        remedy: "Give every planned intention the start of each property that it writes.")
    }
    identity = planned.identity
    self.name = name
    property = tween.property
    startTime = planned.startTime
    lanes = start.value.count
    var imposes: Imposed = tween.startsAtPresent ? [] : .value
    if !Self.carries(tween, from: start) { imposes.insert(.velocity) }
    self.imposes = imposes
    curve = try Self.curve(of: tween, from: start)
  }

  /// Where it is at the end of `frame`.
  ///
  /// Before the first run it is at its first value with velocity 0, plus what carrying the inherited velocity adds.
  func moment(in frame: Frame) -> Moment {
    let elapsed = frame.time - startTime
    let isNearEnd = curve.remaining(at: elapsed) <= Self.endTolerance
    let sample = curve.sample(at: isNearEnd ? curve.totalDuration : elapsed)
    let remaining = isNearEnd ? 0 : curve.remaining(at: elapsed)
    return Moment(
      state: PropertyState(
        Lanes(sample.value, count: lanes), velocity: Lanes(sample.velocity, count: lanes)),
      imposes: elapsed <= max(Self.imposingTime, 2 * frame.dt) ? imposes : [],
      remaining: remaining.isFinite ? remaining : nil, isFinished: sample.isFinished)
  }

  /// Whether there is a velocity to be blended out. From rest a tween moves exactly as its easing says, at once.
  private static func carries(_ tween: TweenIntention, from start: PropertyState) -> Bool {
    tween.carries && start.velocity.storage != .zero
  }

  private static func curve(of tween: TweenIntention, from start: PropertyState) throws(Refusal) -> TweenCurve {
    let points = tween.points(from: start.value)
    if let odd = points.first(where: { $0.count != start.value.count }) {
      throw Refusal(
        .lanes, field: tween.values.contains(odd) ? "values" : "from",
        "\(odd) has \(odd.count) lanes, \(tween.property) has \(start.value.count)",
        remedy: "Give every value as many lanes as the property has.")
    }
    let keyframes = try keyframes(of: tween, through: points)
    let repeatCount: Double = if case .times(let times) = tween.repetition { times } else { .infinity }
    do {
      return try TweenCurve(
        keyframes: keyframes, duration: tween.duration.inSeconds, delay: tween.delay.inSeconds,
        repeatCount: repeatCount, autoreverses: tween.autoreverses,
        inheritedVelocity: carries(tween, from: start) ? start.velocity.storage : nil)
    } catch {
      throw Refusal(.value, error.problem, remedy: sentence(error.remedy))
    }
  }

  private static func keyframes(of tween: TweenIntention, through points: [Lanes]) throws(Refusal) -> Keyframes {
    let timings = try TimingFunction.named(by: tween.easing)
    do {
      return try Keyframes(
        values: points.map(\.storage), offsets: tween.offsets.isEmpty ? nil : tween.offsets, timings: timings)
    } catch {
      // The intention has checked all this; what it might miss are the offsets.
      throw Refusal(.value, field: "offsets", error.problem, remedy: sentence(error.remedy))
    }
  }

  /// A remedy as a sentence of its own: "give two" becomes "Give two."
  private static func sentence(_ remedy: String) -> String {
    remedy.prefix(1).uppercased() + remedy.dropFirst() + "."
  }
}
