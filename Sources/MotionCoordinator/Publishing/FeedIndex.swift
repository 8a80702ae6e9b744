import MotionModel
import MotionWire

/// Finds the feeds that a property or an outcome concerns.
struct FeedIndex {
  private var feeds: [String: Feed] = [:]
  private var everything: [Feed] = []
  private var ofTarget: [TargetName: [Feed]] = [:]
  private var ofProperty: [PropertyReference: [Feed]] = [:]
  private var freeNumbers: [Int] = []

  /// The feeds of outcomes.
  private(set) var outcomes: [Feed] = []

  /// The feeds of who drives.
  private(set) var drivers: [Feed] = []

  /// How many feeds there are.
  var count: Int { feeds.count }

  /// The feed of a topic, if it has a subscriber.
  subscript(topic: String) -> Feed? { feeds[topic] }

  /// Makes the feed of a topic that has none.
  mutating func add(_ topic: String, _ interest: Interest) -> Feed {
    // Numbers are dense: those of feeds that are gone come first.
    let feed = Feed(topic, interest, number: freeNumbers.popLast() ?? feeds.count)
    feeds[topic] = feed
    update(interest) { $0.append(feed) }
    return feed
  }

  /// Removes and gives back the feed of a topic.
  mutating func remove(_ topic: String) -> Feed? {
    guard let feed = feeds.removeValue(forKey: topic) else { return nil }
    freeNumbers.append(feed.number)
    update(feed.interest) { feeds in feeds.removeAll { $0 === feed } }
    return feed
  }

  /// Calls `body` with each feed of values that a property belongs to; at most two for each scope.
  func forEachFeed(of property: PropertyReference, _ body: (Feed) -> Void) {
    for feed in everything { body(feed) }
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
