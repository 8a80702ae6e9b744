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

  /// What changed in the present frame, and names that were not said yet.
  private(set) var values: [Values] = []
  private(set) var names: [NamedProperty] = []
  private var named: Set<PropertyHandle> = []

  /// Properties in one message: 18 MB of values with velocities, 14 MB of names, far below the 64 MiB that peers accept.
  static let propertiesPerMessage = 65_536

  init(_ topic: String, _ interest: Interest, number: Int) {
    self.topic = topic
    self.interest = interest
    self.number = number
  }

  /// Whether nothing was added since the last ``clear()``.
  var isEmpty: Bool { values.isEmpty }

  /// Adds a property as it is after `frame`.
  func add(_ change: Runtime.Change, of frame: Frame) {
    if values.last.map({ $0.handles.count >= Self.propertiesPerMessage }) ?? true { values.append(Values(frame)) }
    values[values.count - 1].append(change, withVelocity: interest.hasVelocities)
    if named.insert(change.handle).inserted { names.append(NamedProperty(change)) }
  }

  /// Takes note that all was said; room is kept for the next frame.
  func clear() {
    values.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
  }

  /// Names will be said again: for a new subscriber, or because more were said than there are properties.
  func forgetNames() { named = [] }

  /// How many names are remembered as said.
  var namesSaid: Int { named.count }
}

extension Interest {
  /// Which properties it is about; `nil` for outcomes.
  var scope: Scope? {
    switch self {
    case .values(let scope), .motion(let scope): scope
    case .outcomes: nil
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
