import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

/// Publishes values and outcomes to whoever subscribed, and nothing to nobody.
///
/// For each topic with a subscriber, a frame is one message with what changed on it, or several, one behind the other,
/// of at most ``messageBytes`` each. Not sent is lost: the queue of a subscriber that does not read is bounded, and its
/// loss shows as a gap in the topic's sequence.
final class Publisher {
  private let socket: PublishSocket
  private let epoch: UInt64
  private var feeds = FeedIndex()
  private var feedOfNumber: [Int: Feed] = [:]
  private var repeats = RepeatSchedule()
  private var touched: [Feed] = []

  /// How many messages were handed to libzmq.
  private(set) var messages: UInt64 = 0
  /// How many bytes these messages had.
  private(set) var bytes: UInt64 = 0
  /// How many subscriptions were refused because no such topic exists.
  private(set) var refusedSubscriptions: UInt64 = 0

  /// Topics at a time: each costs a set of handles; a wall of 10,000 screens with their own topic fits.
  static let feedLimit = 65_536
  /// About how many bytes a message has at most: the envelope and the topic add less than 512, and one outcome is
  /// never longer than ``MotionModel/Limits/textBytes`` and its names.
  ///
  /// libzmq counts messages, not bytes: only messages of a bounded length bound the memory of a queue. 64 KiB are 1,700
  /// properties of two lanes with velocities; a frame of 100,000 is 60 messages, whose overhead is far below the cost of
  /// copying their bytes. See ``Sockets/valuesQueue`` for what that makes of a subscriber that does not read.
  static let messageBytes = 65_024

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

  /// The names and values of all there is on a topic, under the number of the last change.
  private func sayEverything(on feed: Feed, of runtime: Runtime, at now: Duration) {
    guard let scope = feed.interest.scope else { return }
    feed.forgetNames()
    for change in runtime.allProperties where scope.contains(change.reference) { feed.add(change, of: runtime.frame) }
    sayNames(on: feed, at: now)
    if feed.names.isEmpty { send(.names([]), on: feed, at: now) }
    for var values in feed.isEmpty ? [Values(runtime.frame)] : feed.values {
      values.isComplete = true
      send(.values(values), on: feed, at: now)
    }
    feed.clear()
  }

  // MARK: Frames

  /// Says what changed in a frame, and what is no more, on each topic that has a subscriber.
  func publish(
    _ changes: some Sequence<Runtime.Change>, forgotten: [ForgottenProperty], of frame: Frame, at now: Duration
  ) {
    guard feeds.count > 0 else { return }
    for property in forgotten {
      feeds.forEachFeed(of: property.reference) { feed in touch(feed) { feed.add(property, of: frame) } }
    }
    for change in changes {
      feeds.forEachFeed(of: change.reference) { feed in touch(feed) { feed.add(change, of: frame) } }
    }
    guard !touched.isEmpty else { return }
    for feed in touched {
      sayNames(on: feed, at: now)
      for values in feed.values { sayNext(values, on: feed, at: now) }
      feed.clear()
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// Adds something to a feed, and notes the feed if that is the first.
  private func touch(_ feed: Feed, _ add: () -> Void) {
    let wasEmpty = feed.isEmpty
    add()
    if wasEmpty, !feed.isEmpty { touched.append(feed) }
  }

  private func sayNames(on feed: Feed, at now: Duration) {
    // A handle, a number of lanes, two lengths and the tags of five fields take 20 bytes at most.
    let parts = feed.names.chunks(ofBytes: Self.messageBytes) {
      20 + $0.reference.target.text.utf8.count + $0.reference.property.text.utf8.count
    }
    for names in parts { send(.names(Array(names)), on: feed, at: now) }
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
      // Numbers, tags and lengths take 60 bytes at most.
      let parts = heard.chunks(ofBytes: Self.messageBytes) { ended in
        60 + ended.target.text.utf8.count + ended.type.text.utf8.count + (ended.name?.text.utf8.count ?? 0)
          + min(ended.reason.utf8.count, Limits.textBytes)
      }
      for part in parts {
        feed.sequence += 1
        send(.ended(Array(part)), on: feed, at: now)
      }
    }
  }

  /// Whether somebody wants to hear who drives: nobody else has to find it out.
  var tellsDrivers: Bool { !feeds.drivers.isEmpty }

  /// Says who took which property over.
  func publish(_ changes: [DriverChange], at now: Duration) {
    guard !changes.isEmpty else { return }
    for feed in feeds.drivers {
      guard case .drivers(let scope) = feed.interest else { continue }
      let heard = changes.filter { scope.contains($0.reference) }
      // Numbers, tags and lengths take 90 bytes at most.
      let parts = heard.chunks(ofBytes: Self.messageBytes) { change in
        90 + change.reference.target.text.utf8.count + change.reference.property.text.utf8.count
          + (change.driver.map {
            $0.executor.text.utf8.count + $0.type.text.utf8.count + ($0.name?.text.utf8.count ?? 0)
          } ?? 0)
      }
      for part in parts {
        feed.sequence += 1
        send(.drivers(Array(part)), on: feed, at: now)
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
    let message = Topic.frame(feed.topic, envelope)
    // A full queue drops the message for its subscriber; the gap in the sequence tells it.
    guard (try? socket.send(message)) == .sent else { return }
    messages += 1
    bytes += UInt64(message.count)
  }
}

extension Array {
  /// The elements in pieces of about so many bytes at most, each with one element at least; an array that is short is
  /// its only piece, and is not copied.
  fileprivate func chunks(ofBytes limit: Int, _ size: (Element) -> Int) -> [ArraySlice<Element>] {
    var pieces: [ArraySlice<Element>] = []
    var (first, bytes) = (0, 0)
    for (index, element) in enumerated() {
      let more = size(element)
      if bytes + more > limit, index > first {
        pieces.append(self[first..<index])
        (first, bytes) = (index, 0)
      }
      bytes += more
    }
    if first < count { pieces.append(self[first...]) }
    return pieces
  }
}
