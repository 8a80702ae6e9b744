import LinuxSystem
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

/// Publishes values and outcomes on the topics that have a subscriber, and on no others.
///
/// For each topic with a subscriber, a frame is one message with the changes on it, or several, one behind the other,
/// of at most ``messageBytes`` each. A message that cannot be sent is lost: the queue of a subscriber that does not
/// read is bounded, and its loss shows as a gap in the topic's sequence.
final class Publisher {
  private let socket: PublishSocket
  private let epoch: UInt64
  var feeds = FeedIndex()
  private var feedOfNumber: [Int: Feed] = [:]
  private var repeats = RepeatSchedule()
  /// The feeds that have something to publish for the present frame, in the order in which they were found.
  private var touched: [Feed] = []
  /// The last handle that feeds were notified of.
  private var knownHandle: UInt32 = 0
  /// How many removed properties they were notified of.
  private var knownForgotten = 0

  private let pool = MessagePool(messageBytes: 65_536, kept: Publisher.keptMessages)

  /// How many messages were handed to libzmq.
  private(set) var messages: UInt64 = 0
  /// How many bytes these messages had.
  private(set) var bytes: UInt64 = 0
  /// How many subscriptions were refused because no such topic exists.
  private(set) var refusedSubscriptions: UInt64 = 0

  /// Topics at a time: each costs a feed and its last message; a wall of 10,000 screens with their own topic fits.
  static let feedLimit = 65_536
  /// The approximate maximum size of a message. The envelope and the topic add less than 512 bytes, and one outcome is
  /// never longer than ``MotionModel/Limits/textBytes`` and its names.
  ///
  /// libzmq counts messages, not bytes: only messages of a bounded length bound the memory of a queue. 64 KiB are 1,700
  /// properties of two lanes with velocities; a frame of 100,000 is 60 messages, whose overhead is far below the cost
  /// of copying their bytes. See ``Sockets/valuesQueue`` for the consequence when a subscriber does not read.
  static let messageBytes = 65_024

  /// How many messages' memory is kept for the next frame: 16 MiB, one of a million lanes.
  static let keptMessages = 256

  init(_ socket: PublishSocket, epoch: UInt64) {
    self.socket = socket
    self.epoch = epoch
  }

  /// How many topics have a subscriber.
  var topics: Int { feeds.count }

  // MARK: Subscriptions

  /// Handles a subscription: publishes names and last values on the topic, for a first subscriber and for any later
  /// one.
  func subscribed(_ bytes: [UInt8], to runtime: Runtime, at now: Duration) {
    guard let topic = try? Topic.topic(ofSubscription: bytes), let interest = try? Interest(topic: topic),
      feeds[topic] != nil || feeds.count < Self.feedLimit
    else {
      refusedSubscriptions += 1
      return
    }
    let known = feeds[topic]
    let feed = known ?? feeds.add(topic, interest)
    feedOfNumber[feed.number] = feed
    guard let scope = interest.scope else { return }
    if known == nil { place(scope, of: runtime) }
    sayEverything(in: scope, on: feed, of: runtime, at: now)
  }

  /// Handles the end of the last subscription to a topic.
  func unsubscribed(_ bytes: [UInt8], from runtime: Runtime) {
    guard let topic = try? Topic.topic(ofSubscription: bytes), let feed = feeds.remove(topic) else { return }
    feedOfNumber[feed.number] = nil
    repeats.forget(feed.number)
    if let scope = feed.interest.scope { place(scope, of: runtime) }
  }

  /// Finds the feeds of properties again, after a feed was added or removed.
  private func place(_ scope: Interest.Scope, of runtime: Runtime) {
    if scope == .everything { return }
    for slot in runtime.slots(in: scope) { feeds.place(runtime.reference(at: slot), at: slot) }
  }

  /// Publishes the names and values of the whole topic, under the number of the last change.
  private func sayEverything(in scope: Interest.Scope, on feed: Feed, of runtime: Runtime, at now: Duration) {
    feed.saidEverything(upTo: runtime.lastHandle, forgotten: runtime.forgottenCounts.all)
    let (slots, columns) = (runtime.slots(in: scope), runtime.columns)
    if slots.isEmpty { send(.names([]), on: feed, at: now) }
    sayNames(slots.map { NamedProperty($0, of: runtime, columns) }, on: feed, at: now)
    let packer = ValuesPacker(
      slots[...], of: columns, late: runtime.lateSlots, hasVelocities: feed.interest.hasVelocities,
      limit: Self.messageBytes)
    say(packer, on: feed, frame: runtime.frame, isComplete: true, at: now)
  }

  // MARK: Frames

  /// Publishes the changes of a frame, or since, and the removed properties, on each topic that has a subscriber.
  func publish(_ runtime: Runtime, at now: Duration) {
    defer {
      knownHandle = runtime.lastHandle
      knownForgotten = runtime.forgottenCounts.before + runtime.forgotten.count
    }
    guard feeds.count > 0 else { return }
    let (changed, columns) = (runtime.changedSlots, runtime.columns)
    tellForgotten(of: runtime)
    tellMade(changed, columns, of: runtime)
    touchFeeds(changed, columns)
    guard !touched.isEmpty else { return }
    for feed in touched {
      // A property that was removed since has another handle in its slot by now, or none.
      let unnamed = feed.unnamed.filter { columns.rows[Int($0.slot)].handle == $0.handle }
      sayNames(unnamed.map { NamedProperty($0.slot, of: runtime, columns) }, on: feed, at: now)
      let slots = feed.interest.scope == .everything ? changed : feed.slots[...]
      let packer = ValuesPacker(
        slots, of: columns, forgotten: feed.forgotten, late: runtime.lateSlots,
        hasVelocities: feed.interest.hasVelocities, limit: Self.messageBytes)
      say(packer, on: feed, frame: runtime.frame, isComplete: false, at: now)
      feed.clear()
      repeats.said(feed.number, at: now)
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// Notifies feeds of the removal of properties that they have named.
  private func tellForgotten(of runtime: Runtime) {
    let before = runtime.forgottenCounts.before
    for (index, property) in runtime.forgotten.enumerated() where before + index >= knownForgotten {
      feeds.forEachFeed(of: property.reference) { feed in
        if feed.note(forgotten: property.handle, before + index, known: knownHandle) { touch(feed) }
      }
    }
  }

  /// Notifies feeds of properties that were made since the last time. As a rule they are among those that changed.
  private func tellMade(_ changed: ArraySlice<UInt32>, _ columns: PropertyColumns, of runtime: Runtime) {
    guard runtime.lastHandle > knownHandle else { return }
    func isNew(_ slot: UInt32) -> Bool { columns.rows[Int(slot)].handle > knownHandle }
    var made = changed.filter(isNew)
    if made.count < runtime.lastHandle - knownHandle { made = runtime.occupiedSlots.filter(isNew) }
    for feed in feeds.everything {
      for slot in made { feed.note(made: columns.rows[Int(slot)].handle, at: slot) }
    }
    guard feeds.isDivided else { return }
    guard made.count > feeds.scopeCount else {
      for slot in made { place(slot, columns, of: runtime) }
      return
    }
    // In the opposite direction: of a hundred thousand properties made together, usually few have subscribers.
    feeds.vacate(made)
    let heard = feeds.scopes.flatMap { runtime.slots(in: $0).filter(isNew) }
    for slot in Set(heard).sorted() { place(slot, columns, of: runtime) }
  }

  /// Finds the feeds of a new property by its name.
  private func place(_ slot: UInt32, _ columns: PropertyColumns, of runtime: Runtime) {
    let reference = runtime.reference(at: slot)
    feeds.place(reference, at: slot)
    feeds.forEachDividedFeed(of: reference) { $0.note(made: columns.rows[Int(slot)].handle, at: slot) }
  }

  /// Finds the feeds that have something to publish, and their slots: a feed of everything has all that changed.
  private func touchFeeds(_ changed: ArraySlice<UInt32>, _ columns: PropertyColumns) {
    guard changed.contains(where: { columns.rows[Int($0)].isOccupied }) else { return }
    for feed in feeds.everything { touch(feed) }
    guard feeds.isDivided else { return }
    for slot in changed where feeds.isHeard(slot) && columns.rows[Int(slot)].isOccupied {
      for feed in feeds.feeds(at: slot) {
        touch(feed)
        feed.slots.append(slot)
      }
    }
  }

  private func touch(_ feed: Feed) {
    if feed.isTouched { return }
    feed.isTouched = true
    touched.append(feed)
  }

  private func sayNames(_ names: [NamedProperty], on feed: Feed, at now: Duration) {
    // A handle, a number of lanes, two lengths and the tags of five fields take 20 bytes at most.
    let parts = names.chunks(ofBytes: Self.messageBytes) {
      20 + $0.reference.target.text.utf8.count + $0.reference.property.text.utf8.count
    }
    for names in parts { send(.names(Array(names)), on: feed, at: now) }
  }

  /// Publishes values in as many messages as they take: changes under a number each; a complete set, which is at least
  /// one message, under the last number.
  private func say(_ values: ValuesPacker, on feed: Feed, frame: Frame, isComplete: Bool, at now: Duration) {
    var packer = values
    var next = packer.next() ?? (isComplete ? ValuesPart() : nil)
    var number: UInt32 = 0
    while let part = next {
      next = packer.next()
      if !isComplete { feed.sequence += 1 }
      let header = ValuesMessage.Header(
        epoch: epoch, sequence: feed.sequence, sent: UInt64(now.wholeNanoseconds))
      let values = ValuesMessage(
        part, of: packer, topic: feed.subscription, header, frame: frame, isComplete: isComplete, number: number,
        hasMore: next != nil)
      let message = Message(count: values.count, from: pool) { values.write(to: $0) }
      // No copy: the bytes are kept until the next message.
      if !isComplete, next == nil { feed.last = (Message(sharing: message), values.sentOffset) }
      send(message)
      number += 1
    }
  }

  // MARK: Quiet topics

  /// When the next quiet topic has to resend its last message.
  var nextDeadline: Duration? { repeats.nextDeadline }

  /// Resends the last messages that are due.
  func deadline(at now: Duration) {
    while let number = repeats.takeDue(at: now) {
      guard let last = feedOfNumber[number]?.last else { continue }
      let again = Message(count: last.message.count) { buffer in
        last.message.withUnsafeBytes { buffer.copyMemory(from: $0) }
        buffer.storeBytes(
          of: UInt64(now.wholeNanoseconds).littleEndian, toByteOffset: last.sentOffset, as: UInt64.self)
      }
      send(again)
    }
    // All topics are quiet.
    if repeats.nextDeadline == nil { pool.empty() }
  }

  // MARK: Sending

  func send(_ body: Envelope.Body, on feed: Feed, at now: Duration) {
    let envelope = Envelope(epoch: epoch, sequence: feed.sequence, sent: UInt64(now.wholeNanoseconds), body)
    send(Message(feed.subscription + envelope.encoded()))
  }

  private func send(_ message: Message) {
    let count = message.count
    // A full queue drops the message for its subscriber, which detects the gap in the sequence.
    guard (try? socket.send(message)) == .sent else { return }
    messages += 1
    bytes += UInt64(count)
  }
}

extension Runtime {
  /// The slots of the properties of a scope, in order.
  fileprivate func slots(in scope: Interest.Scope) -> [UInt32] {
    switch scope {
    case .everything: occupiedSlots
    case .target(let target): slots(of: target)
    case .property(let property): slot(of: property).map { [$0] } ?? []
    }
  }
}

extension NamedProperty {
  /// The name of the property at a slot, with its handle.
  fileprivate init(_ slot: UInt32, of runtime: Runtime, _ columns: PropertyColumns) {
    let row = columns.rows[Int(slot)]
    self.init(handle: PropertyHandle(row.handle), reference: runtime.reference(at: slot), lanes: row.lanes)
  }
}
