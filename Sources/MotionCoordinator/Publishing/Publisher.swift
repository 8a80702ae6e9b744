import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

/// Publishes values and outcomes to whoever subscribed, and nothing to nobody.
///
/// For each topic with a subscriber, a frame is one message with what changed on it; of more properties than
/// ``Feed/propertiesPerMessage`` there are several messages of the same frame. Not sent is lost: the queue of a
/// subscriber that does not read is bounded, and its loss shows as a gap in the topic's sequence.
final class Publisher {
  private let socket: PublishSocket
  private let epoch: UInt64
  private var feeds = FeedIndex()
  private var feedOfNumber: [Int: Feed] = [:]
  private var repeats = RepeatSchedule()
  private var touched: [Feed] = []

  /// How many messages were handed to libzmq.
  private(set) var messages: UInt64 = 0
  /// How many subscriptions were refused because no such topic exists.
  private(set) var refusedSubscriptions: UInt64 = 0

  /// Topics at a time: each costs a set of handles; a wall of 10,000 screens with their own topic fits.
  static let feedLimit = 65_536
  /// Outcomes in one message: a million springs may come to rest at once.
  static let outcomesPerMessage = 65_536
  /// Names that a topic remembers as said, whatever number of properties there is: targets that come and go have new
  /// handles each time.
  static let namesAlwaysKept = 4096

  init(_ socket: PublishSocket, epoch: UInt64) {
    self.socket = socket
    self.epoch = epoch
  }

  /// How many topics have a subscriber.
  var topics: Int { feeds.count }

  // MARK: Subscriptions

  /// Somebody subscribed: names and last values are said on the topic, to a first subscriber and to any later one.
  func subscribed(_ bytes: [UInt8], to runtime: Runtime, at now: Duration) {
    guard let topic = try? Topic.topic(ofSubscription: bytes), let interest = try? Interest(topic: topic),
      feeds[topic] != nil || feeds.count < Self.feedLimit
    else {
      refusedSubscriptions += 1
      return
    }
    let feed = feeds[topic] ?? feeds.add(topic, interest)
    feedOfNumber[feed.number] = feed
    sayEverything(on: feed, of: runtime, at: now)
  }

  /// Nobody listens to a topic any more.
  func unsubscribed(_ bytes: [UInt8]) {
    guard let topic = try? Topic.topic(ofSubscription: bytes), let feed = feeds.remove(topic) else { return }
    feedOfNumber[feed.number] = nil
    repeats.forget(feed.number)
  }

  /// The names and values of all there is on a topic: the first message is complete, under the number of the last
  /// change; what does not fit in it follows as changes.
  private func sayEverything(on feed: Feed, of runtime: Runtime, at now: Duration) {
    guard let scope = feed.interest.scope else { return }
    feed.forgetNames()
    for change in runtime.allProperties where scope.contains(change.reference) { feed.add(change, of: runtime.frame) }
    sayNames(on: feed, at: now)
    if feed.names.isEmpty { send(.names([]), on: feed, at: now) }
    var complete = feed.values.first ?? Values(runtime.frame)
    complete.isComplete = true
    send(.values(complete), on: feed, at: now)
    for values in feed.values.dropFirst() { sayNext(values, on: feed, at: now) }
    feed.clear()
  }

  // MARK: Frames

  /// Says what changed in a frame on each topic that has a subscriber.
  ///
  /// - Parameter propertyCount: how many properties there are; asked for when a topic remembers many names.
  func publish(
    _ changes: some Sequence<Runtime.Change>, of frame: Frame, propertyCount: @autoclosure () -> Int, at now: Duration
  ) {
    guard feeds.count > 0 else { return }
    for change in changes {
      feeds.forEachFeed(of: change.reference) { feed in
        if feed.isEmpty { touched.append(feed) }
        feed.add(change, of: frame)
      }
    }
    guard !touched.isEmpty else { return }
    for feed in touched {
      sayNames(on: feed, at: now)
      for values in feed.values { sayNext(values, on: feed, at: now) }
      feed.clear()
      if feed.namesSaid > Self.namesAlwaysKept, feed.namesSaid > 2 * propertyCount() { feed.forgetNames() }
    }
    touched.removeAll(keepingCapacity: true)
  }

  private func sayNames(on feed: Feed, at now: Duration) {
    for names in feed.names.chunks(of: Feed.propertiesPerMessage) { send(.names(names), on: feed, at: now) }
  }

  private func sayNext(_ values: Values, on feed: Feed, at now: Duration) {
    feed.sequence += 1
    feed.last = values
    repeats.said(feed.number, at: now)
    send(.values(values), on: feed, at: now)
  }

  /// Says which plans ended.
  func publish(_ ended: [EndedIntention], at now: Duration) {
    guard !ended.isEmpty else { return }
    for feed in feeds.outcomes {
      guard case .outcomes(let target) = feed.interest else { continue }
      let heard = target == nil ? ended : ended.filter { $0.target == target }
      for part in heard.chunks(of: Self.outcomesPerMessage) {
        feed.sequence += 1
        send(.ended(part), on: feed, at: now)
      }
    }
  }

  // MARK: Quiet topics

  /// When a topic that fell quiet has to say its last word again.
  var nextDeadline: Duration? { repeats.nextDeadline }

  /// Says last words again that are due.
  func deadline(at now: Duration) {
    while let number = repeats.takeDue(at: now) {
      guard let feed = feedOfNumber[number], let last = feed.last else { continue }
      send(.values(last), on: feed, at: now)
    }
  }

  private func send(_ body: Envelope.Body, on feed: Feed, at now: Duration) {
    let envelope = Envelope(epoch: epoch, sequence: feed.sequence, sent: UInt64(now.wholeNanoseconds), body)
    // A full queue drops the message for its subscriber; the gap in the sequence tells it.
    if (try? socket.send(Topic.frame(feed.topic, envelope))) == .sent { messages += 1 }
  }
}

extension Array {
  /// The elements in pieces of at most `size`; an array that is short is its only piece, and is not copied.
  fileprivate func chunks(of size: Int) -> [[Element]] {
    guard count > size else { return isEmpty ? [] : [self] }
    return stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
