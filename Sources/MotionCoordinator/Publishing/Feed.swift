import MotionCore
import MotionModel
import MotionWire

/// What the subscribers of one topic have heard, and what they are about to hear.
final class Feed {
  let topic: String
  let interest: Interest
  /// Its number in the ``RepeatSchedule``.
  let number: Int
  /// The number of its last message, from 1.
  var sequence: UInt64 = 0
  /// The last values that were said on it.
  var last: Values?

  /// What changed in the present frame, in messages that are one behind the other, and names that were not said yet.
  private(set) var values: [Values] = []
  private(set) var names: [NamedProperty] = []
  private var named: HandleSet
  /// About how many bytes the last of the messages has.
  private var bytes = 0

  init(_ topic: String, _ interest: Interest, number: Int) {
    self.topic = topic
    self.interest = interest
    self.number = number
    named = HandleSet(isDense: interest.scope == .everything)
  }

  /// Whether nothing was added since the last ``clear()``.
  var isEmpty: Bool { values.isEmpty }

  /// Adds a property as it is after `frame`.
  func add(_ change: Runtime.Change, of frame: Frame) {
    // A handle takes up to five bytes, twice if it is late; a count takes one.
    let lanes = change.state.value.count * (interest.hasVelocities ? 2 : 1)
    makeRoom(for: 6 + 8 * lanes + (change.isLate ? 5 : 0), of: frame)
    values[values.count - 1].append(change, withVelocity: interest.hasVelocities)
    if named.insert(change.handle) { names.append(NamedProperty(change)) }
  }

  /// Adds that a property is no more, if it was ever named here. Before what else the frame has to say.
  func add(_ forgotten: ForgottenProperty, of frame: Frame) {
    guard named.remove(forgotten.handle) else { return }
    makeRoom(for: 5, of: frame)
    values[values.count - 1].forgotten.append(forgotten.handle)
  }

  /// Begins another message if the last one would become longer than ``Publisher/messageBytes``.
  private func makeRoom(for more: Int, of frame: Frame) {
    bytes += more
    guard values.isEmpty || bytes > Publisher.messageBytes else { return }
    var next = Values(frame)
    if !values.isEmpty {
      values[values.count - 1].hasMore = true
      next.part = UInt32(values.count)
    }
    values.append(next)
    bytes = more
  }

  /// Takes note that all was said; room is kept for the next frame.
  func clear() {
    values.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    bytes = 0
  }

  /// Names will be said again, for a new subscriber.
  func forgetNames() { named.removeAll() }
}

extension Interest {
  /// Which properties' values it is about; `nil` for what happens.
  var scope: Scope? {
    switch self {
    case .values(let scope), .motion(let scope): scope
    case .outcomes, .drivers: nil
    }
  }

  /// Whether velocities are wanted too.
  var hasVelocities: Bool { if case .motion = self { true } else { false } }
}

extension Values {
  /// No values yet, of this frame.
  init(_ frame: Frame) {
    self.init(frame: frame.number, time: frame.time, dt: frame.dt)
  }

  /// Adds a property.
  mutating func append(_ change: Runtime.Change, withVelocity: Bool) {
    let count = change.state.value.count
    handles.append(change.handle)
    counts.append(UInt8(count))
    for lane in 0..<count { lanes.append(change.state.value[lane]) }
    if withVelocity { for lane in 0..<count { velocities.append(change.state.velocity[lane]) } }
    if change.isLate { late.append(change.handle) }
  }
}

extension NamedProperty {
  /// What the handle of a property stands for.
  init(_ change: Runtime.Change) {
    self.init(handle: change.handle, reference: change.reference, lanes: change.state.value.count)
  }
}
