import MotionModel
import MotionPhysics

/// What stands between a driver's words and a property's state: hand-overs, fades and late drivers.
///
/// Only properties that an executor with its own clock writes, or that change hands, need one; what rests, and what the
/// bank steps, has none.
struct PropertyMotion {
  /// A difference that is added to the driver's output and fades.
  struct Blend {
    var fade: HandoverFade
    var startTime: Double
  }

  /// The driver's last word that has not been applied yet.
  var incoming: Incoming?
  /// The difference that fades.
  var blend: Blend?
  /// The movement of a property whose driver is late or dead.
  var late: LateDriver?
  /// Whether the next word of the driver is its first, so that the difference to it has to be blended.
  var blendsNext = false

  /// A value as its executor wrote it.
  struct Incoming {
    var executor: ExecutorHandle
    var state: PropertyState
    var imposes: Imposed
    var remaining: Double?
  }

  /// Whether there is nothing to do for this property in the next frame.
  var isIdle: Bool { incoming == nil && blend == nil && late?.isDone ?? true }

  /// The property's state at `time` when its driver says `word`; `present` is where it would be without.
  ///
  /// The first word after a hand-over sets up the blend: what the new driver does not impose goes on from `present`.
  mutating func follow(_ word: Incoming, from present: PropertyState, at time: Double) -> PropertyState {
    if blendsNext || late != nil {
      blendsNext = false
      late = nil
      blend = Self.blend(from: present, to: word, at: time)
    }
    return output(of: word, at: time)
  }

  /// Notes that the driver owes a word for this frame: the property coasts from `present` until it speaks.
  mutating func fallLate(from present: PropertyState) {
    guard late == nil else { return }
    late = LateDriver(value: present.value.storage, velocity: present.velocity.storage)
  }

  /// Moves on for a frame in which the driver said nothing although it should have, or is dead.
  mutating func coast(from present: PropertyState, dt: Double) -> PropertyState {
    blend = nil
    var driver = late ?? LateDriver(value: present.value.storage, velocity: present.velocity.storage)
    let (value, velocity) = driver.advance(dt: dt)
    late = driver
    let count = present.value.count
    return PropertyState(Lanes(value, count: count), velocity: Lanes(velocity, count: count))
  }

  private mutating func output(of word: Incoming, at time: Double) -> PropertyState {
    guard let blend else { return word.state }
    let elapsed = time - blend.startTime
    guard !blend.fade.isOver(at: elapsed) else {
      self.blend = nil
      return word.state
    }
    let (value, velocity) = blend.fade.offset(at: elapsed)
    var state = word.state
    state.value = Lanes(state.value.storage + value, count: state.value.count)
    state.velocity = Lanes(state.velocity.storage + velocity, count: state.velocity.count)
    return state
  }

  /// The difference that a hand-over leaves, or `nil` if there is none.
  private static func blend(from present: PropertyState, to word: Incoming, at time: Double) -> Blend? {
    var value = present.value.storage - word.state.value.storage
    var velocity = present.velocity.storage - word.state.velocity.storage
    if word.imposes.contains(.value) { value = .zero }
    if word.imposes.contains(.velocity) { velocity = .zero }
    guard value != .zero || velocity != .zero else { return nil }
    let remaining = word.remaining ?? .infinity
    guard remaining > 0 else { return nil }
    return Blend(fade: HandoverFade(value: value, velocity: velocity, remaining: remaining), startTime: time)
  }
}
