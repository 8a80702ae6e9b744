import MotionModel
import MotionPhysics

/// Fulfils `Wave`: moves properties to and fro, in this process.
final class WaveExecutor: CourseExecutor {
  let context: ExecutorContext
  var courses: [WaveCourse] = []
  var displaced: Set<PropertyName> = []

  init(context: ExecutorContext) { self.context = context }

  /// The declaration for a registry.
  static var declaration: ExecutorDeclaration {
    ExecutorDeclaration(
      type: WaveIntention.description.executor, descriptions: [WaveIntention.description], acceptsNames: true
    ) { _, context in WaveExecutor(context: context) }
  }

  /// Takes over a plan.
  func add(_ planned: PlannedIntention) throws {
    add(WaveCourse(try WaveIntention(planned.intention), of: planned.identity, since: planned.startTime))
  }
}

/// A property that a wave moves.
struct WaveCourse: StandingCourse {
  let identity: IntentionIdentity
  let property: PropertyName
  private let wave: Wave
  private let lanes: Int
  /// How long the difference fades at the beginning, and when that is over.
  private let fade: Double
  private let fadesUntil: Double

  var isMoving = false
  var isAtRest = false
  /// Whether it has to find the property's state before it moves it.
  var isNew = true
  /// The passage from where the property was, and since when.
  var passage: (Crossfade, since: Double)?
  /// What it wrote last.
  var last: Wave.Sample?

  /// - Parameter time: the simulated time at which the plan began, in seconds.
  init(_ intention: WaveIntention, of identity: IntentionIdentity, since time: Double) {
    self.identity = identity
    property = intention.property
    lanes = intention.offset.count
    wave = Wave(intention)
    fade = intention.fade.inSeconds
    fadesUntil = time + fade
  }

  mutating func begin() { (isMoving, isAtRest, isNew, passage, last) = (true, false, true, nil, nil) }

  mutating func end() { (isMoving, last) = (false, nil) }

  mutating func advance(_ frame: Frame, from present: PropertyState) -> (value: Lanes, velocity: Lanes) {
    if isNew {
      isNew = false
      begin(at: frame.time - frame.dt, from: present)
    }
    var sample = wave.sample(at: frame.time)
    if let (fade, since) = passage {
      sample = fade.sample(at: frame.time - since, to: sample)
      if fade.isOver(at: frame.time - since) { passage = nil }
    }
    (last, isAtRest) = (sample, passage == nil && wave.isConstant)
    return (Lanes(sample.value, count: lanes), Lanes(sample.velocity, count: lanes))
  }

  /// Continues from the property's state. One that is where the wave is, as after a restart, goes on with it.
  private mutating func begin(at time: Double, from present: PropertyState) {
    let own = wave.sample(at: time)
    guard !own.isNear(present, within: 1e-9, wave) else { return }
    let duration = max(min(fade, HandoverFade.longestDuration), fadesUntil - time)
    passage = (
      Crossfade(value: present.value.storage, velocity: present.velocity.storage, duration: duration), time
    )
  }

  func acceleration(in present: PropertyState) -> SIMD4<Double>? {
    guard let last, last.value == present.value.storage, last.velocity == present.velocity.storage else { return nil }
    return last.acceleration
  }
}

extension Wave {
  /// The wave of a plan.
  init(_ intention: WaveIntention) {
    let lanes = intention.offset.count
    func spread(_ value: Lanes) -> SIMD4<Double> {
      value.count == 1 ? Lanes(SIMD4(repeating: value[0]), count: lanes).storage : value.storage
    }
    self.init(
      intention.shape.wave, rate: spread(intention.rate), phase: spread(intention.phase),
      offset: intention.offset.storage, amplitude: spread(intention.amplitude), width: intention.width)
  }
}

extension WaveIntention.Shape {
  fileprivate var wave: Wave.Shape {
    switch self {
    case .sine: .sine
    case .triangle: .triangle
    case .saw: .saw
    case .pulse: .pulse
    }
  }
}

extension Wave.Sample {
  /// Whether a property has this state, apart from the rounding of times.
  ///
  /// - Parameter share: how far it may be off, as a share of what the wave reaches.
  fileprivate func isNear(_ state: PropertyState, within share: Double, _ wave: Wave) -> Bool {
    for lane in 0..<state.value.count {
      let amplitude = wave.amplitude[lane].magnitude
      let reach = share * (amplitude + wave.offset[lane].magnitude)
      let speed = share * 8 * amplitude * wave.rate[lane].magnitude
      guard (state.value[lane] - value[lane]).magnitude <= reach,
        (state.velocity[lane] - velocity[lane]).magnitude <= speed
      else { return false }
    }
    return true
  }
}
