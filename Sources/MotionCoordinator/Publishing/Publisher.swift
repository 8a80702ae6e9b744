import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

/// Publishes values and outcomes to whoever subscribed, and nothing to nobody.
///
/// For each topic with a subscriber, one message a frame holds what changed on it. Not sent is lost: the queue of a
/// subscriber that does not read is bounded, and its loss shows as a gap in the topic's sequence.
final class Publisher {
  /// What one topic's subscribers have heard.
  private struct Feed {
    var interest: Interest
    var sequence: UInt64 = 0
    /// The handles whose names were said on it.
    var named: Set<PropertyHandle> = []
    /// When the last message will be said again, and how often it has been.
    var repeats: [Duration] = []
    var last: Values?
  }

  /// A topic that falls quiet says its last word again after these times, so that its loss is noticed.
  static let repeatTimes: [Duration] = [.milliseconds(100), .seconds(1)]

  private let socket: PublishSocket
  private let epoch: UInt64
  private var feeds: [String: Feed] = [:]
  private var topicsOfEverything: [String] = []
  private var topicsOfTarget: [TargetName: [String]] = [:]
  private var topicsOfProperty: [PropertyReference: [String]] = [:]
  private var topicsOfOutcomes: [String] = []

  /// How many messages were handed to libzmq.
  private(set) var messages: UInt64 = 0
  /// How many subscriptions were refused because no such topic exists.
  private(set) var refusedSubscriptions: UInt64 = 0

  /// Topics at a time: each costs a set of handles; a wall of 10,000 screens with their own topic fits.
  static let feedLimit = 65_536

  init(_ socket: PublishSocket, epoch: UInt64) {
    self.socket = socket
    self.epoch = epoch
  }

  /// How many topics have a subscriber.
  var topics: Int { feeds.count }

  // MARK: Subscriptions

  /// Somebody subscribed: names and last values are said on the topic, to a first subscriber and to any later one.
  func subscribed(_ bytes: [UInt8], to runtime: Runtime, at now: Duration) {
    guard let topic = try? Topic.topic(ofSubscription: bytes), let interest = try? Interest(topic: topic) else {
      refusedSubscriptions += 1
      return
    }
    if feeds[topic] == nil {
      guard feeds.count < Self.feedLimit else {
        refusedSubscriptions += 1
        return
      }
      feeds[topic] = Feed(interest: interest)
      index(topic, interest, isNew: true)
    }
    sayEverything(on: topic, of: runtime, at: now)
  }

  /// Nobody listens to a topic any more.
  func unsubscribed(_ bytes: [UInt8]) {
    guard let topic = try? Topic.topic(ofSubscription: bytes), let feed = feeds.removeValue(forKey: topic) else {
      return
    }
    index(topic, feed.interest, isNew: false)
  }

  private func index(_ topic: String, _ interest: Interest, isNew: Bool) {
    func update(_ topics: inout [String]) {
      topics.removeAll { $0 == topic }
      if isNew { topics.append(topic) }
    }
    switch interest {
    case .values(.everything), .motion(.everything): update(&topicsOfEverything)
    case .values(.target(let target)), .motion(.target(let target)):
      update(&topicsOfTarget[target, default: []])
      if topicsOfTarget[target]?.isEmpty == true { topicsOfTarget[target] = nil }
    case .values(.property(let property)), .motion(.property(let property)):
      update(&topicsOfProperty[property, default: []])
      if topicsOfProperty[property]?.isEmpty == true { topicsOfProperty[property] = nil }
    case .outcomes: update(&topicsOfOutcomes)
    }
  }

  private func sayEverything(on topic: String, of runtime: Runtime, at now: Duration) {
    guard let feed = feeds[topic], let scope = feed.interest.scope else { return }
    var batch = Values(runtime.frame, isComplete: true)
    var names: [NamedProperty] = []
    for change in runtime.allProperties where scope.contains(change.reference) {
      batch.append(change, withVelocity: feed.interest.hasVelocities)
      names.append(NamedProperty(change))
    }
    feeds[topic]?.named = Set(names.map(\.handle))
    send(.names(names), on: topic, sequence: feed.sequence, at: now)
    send(.values(batch), on: topic, sequence: feed.sequence, at: now)
  }

  // MARK: Frames

  /// Says what changed in a frame, once on each topic that has a subscriber.
  func publish(_ changes: some Sequence<Runtime.Change>, of frame: Frame, at now: Duration) {
    guard !feeds.isEmpty else { return }
    var batches: [String: (Values, [NamedProperty])] = [:]
    for change in changes {
      for topic in topics(of: change.reference) {
        guard let feed = feeds[topic] else { continue }
        var (batch, names) = batches.removeValue(forKey: topic) ?? (Values(frame), [])
        batch.append(change, withVelocity: feed.interest.hasVelocities)
        if !feed.named.contains(change.handle) { names.append(NamedProperty(change)) }
        batches[topic] = (batch, names)
      }
    }
    for (topic, (batch, names)) in batches { say(batch, names, on: topic, at: now) }
  }

  private func topics(of reference: PropertyReference) -> [String] {
    topicsOfEverything + (topicsOfTarget[reference.target] ?? []) + (topicsOfProperty[reference] ?? [])
  }

  private func say(_ batch: Values, _ names: [NamedProperty], on topic: String, at now: Duration) {
    guard let sequence = feeds[topic]?.sequence else { return }
    if !names.isEmpty {
      send(.names(names), on: topic, sequence: sequence, at: now)
      feeds[topic]?.named.formUnion(names.map(\.handle))
    }
    feeds[topic]?.sequence = sequence + 1
    feeds[topic]?.last = batch
    feeds[topic]?.repeats = Self.repeatTimes.map { now + $0 }
    send(.values(batch), on: topic, sequence: sequence + 1, at: now)
  }

  /// Says which plans ended.
  func publish(_ ended: [EndedIntention], at now: Duration) {
    guard !ended.isEmpty else { return }
    for topic in topicsOfOutcomes {
      guard case .outcomes(let target)? = feeds[topic]?.interest else { continue }
      let heard = ended.filter { target == nil || $0.target == target }
      guard !heard.isEmpty else { continue }
      feeds[topic]?.sequence += 1
      send(.ended(heard), on: topic, sequence: feeds[topic]?.sequence ?? 0, at: now)
    }
  }

  // MARK: Quiet topics

  /// When a topic that fell quiet has to say its last word again.
  var nextDeadline: Duration? { feeds.values.compactMap(\.repeats.first).min() }

  /// Says last words again that are due.
  func deadline(at now: Duration) {
    for (topic, feed) in feeds {
      guard let due = feed.repeats.first, now >= due, let last = feed.last else { continue }
      feeds[topic]?.repeats.removeFirst()
      send(.values(last), on: topic, sequence: feed.sequence, at: now)
    }
  }

  private func send(_ body: Envelope.Body, on topic: String, sequence: UInt64, at now: Duration) {
    let envelope = Envelope(epoch: epoch, sequence: sequence, sent: UInt64(now.wholeNanoseconds), body)
    // A full queue drops the message for its subscriber; the gap in the sequence tells it.
    if (try? socket.send(Topic.frame(topic, envelope))) == .sent { messages += 1 }
  }
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
  init(_ frame: Frame, isComplete: Bool = false) {
    self.init(frame: frame.number, time: frame.time, dt: frame.dt, isComplete: isComplete)
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
