import MotionModel
import MotionWire

/// Finds the feeds that a property or an outcome concerns: by name when one of them is new, by slot in each frame.
struct FeedIndex {
  private var feeds: [String: Feed] = [:]
  private var ofTarget: [TargetName: [Feed]] = [:]
  private var ofProperty: [PropertyReference: [Feed]] = [:]
  /// The feeds of a target or a property by slot; empty as long as there are no such feeds.
  private var ofSlot: [[Feed]] = []
  private var freeNumbers: [Int] = []

  /// The feeds of all values.
  private(set) var everything: [Feed] = []

  /// The feeds of outcomes.
  private(set) var outcomes: [Feed] = []

  /// The feeds of drivers.
  private(set) var drivers: [Feed] = []

  /// How many feeds there are.
  var count: Int { feeds.count }

  /// Whether values of single targets or properties are wanted.
  var isDivided: Bool { !ofTarget.isEmpty || !ofProperty.isEmpty }

  /// The feed of a topic, if it has a subscriber.
  subscript(topic: String) -> Feed? { feeds[topic] }

  /// Makes the feed of a topic that has none. If it has a scope, the properties in it have to be placed.
  mutating func add(_ topic: String, _ interest: Interest) -> Feed {
    // Numbers are dense: those of removed feeds are used first.
    let feed = Feed(topic, interest, number: freeNumbers.popLast() ?? feeds.count)
    feeds[topic] = feed
    update(interest) { $0.append(feed) }
    return feed
  }

  /// Removes and returns the feed of a topic. The properties in its scope have to be placed.
  mutating func remove(_ topic: String) -> Feed? {
    guard let feed = feeds.removeValue(forKey: topic) else { return nil }
    freeNumbers.append(feed.number)
    update(feed.interest) { feeds in feeds.removeAll { $0 === feed } }
    if !isDivided { ofSlot = [] }
    return feed
  }

  /// Records which property lives at a slot, or that its feeds have changed.
  mutating func place(_ property: PropertyReference, at slot: UInt32) {
    guard isDivided else { return }
    makeRoom(for: slot)
    ofSlot[Int(slot)] = (ofTarget[property.target] ?? []) + (ofProperty[property] ?? [])
  }

  /// Clears the feeds of these slots, which hold new properties that have not been placed yet.
  mutating func vacate(_ slots: [UInt32]) {
    guard isDivided, let last = slots.max() else { return }
    makeRoom(for: last)
    for slot in slots where !ofSlot[Int(slot)].isEmpty { ofSlot[Int(slot)] = [] }
  }

  private mutating func makeRoom(for slot: UInt32) {
    let missing = Int(slot) + 1 - ofSlot.count
    if missing > 0 { ofSlot.append(contentsOf: repeatElement([], count: missing)) }
  }

  /// How many targets and properties have subscribers by name; these properties need not exist.
  var scopeCount: Int { ofTarget.count + ofProperty.count }

  /// These targets and properties, in no order.
  var scopes: [Interest.Scope] { ofTarget.keys.map { .target($0) } + ofProperty.keys.map { .property($0) } }

  /// The feeds of the property at a slot and of its target; at most two for each.
  func feeds(at slot: UInt32) -> [Feed] { Int(slot) < ofSlot.count ? ofSlot[Int(slot)] : [] }

  /// Whether the property at a slot, or its target, has a subscriber by name.
  func isHeard(_ slot: UInt32) -> Bool { Int(slot) < ofSlot.count && !ofSlot[Int(slot)].isEmpty }

  /// Calls `body` with each feed of values that a property belongs to; at most two for each scope.
  func forEachFeed(of property: PropertyReference, _ body: (Feed) -> Void) {
    for feed in everything { body(feed) }
    forEachDividedFeed(of: property, body)
  }

  /// Calls `body` with each feed of a property's target and of itself; at most two for each.
  func forEachDividedFeed(of property: PropertyReference, _ body: (Feed) -> Void) {
    if !ofTarget.isEmpty, let feeds = ofTarget[property.target] { for feed in feeds { body(feed) } }
    if !ofProperty.isEmpty, let feeds = ofProperty[property] { for feed in feeds { body(feed) } }
  }

  private mutating func update(_ interest: Interest, _ change: (inout [Feed]) -> Void) {
    switch interest {
    case .values(.everything), .motion(.everything): change(&everything)
    case .values(.target(let target)), .motion(.target(let target)):
      change(&ofTarget[target, default: []])
      if ofTarget[target]?.isEmpty == true { ofTarget[target] = nil }
    case .values(.property(let property)), .motion(.property(let property)):
      change(&ofProperty[property, default: []])
      if ofProperty[property]?.isEmpty == true { ofProperty[property] = nil }
    case .outcomes: change(&outcomes)
    case .drivers: change(&drivers)
    }
  }
}
