/// Who has subscribed to what on a publisher's socket, by connection.
///
/// libzmq's XPUB keeps that too, and tells it to nobody: it reports a withdrawal also when the peer had never subscribed,
/// so that whoever believes it takes the topic from all others. And it bounds nothing. The ledger needs every
/// subscription and every withdrawal reported (`ZMQ_XPUB_VERBOSER`), with the number and the descriptor of the connection:
/// numbers grow and never come again, descriptors do. A connection that ends withdraws each of its topics once, and is not
/// named then.
package struct SubscriptionLedger {
  /// What a report means.
  package enum Outcome: Hashable, Sendable {
    /// A connection listens to a topic: to be told what there is on it.
    case began
    /// Nobody listens to a topic any more.
    case ended
    /// Nothing has changed, or nothing that was true.
    case nothing
    /// The connection has more topics than it may, or one that is longer than any. Hang up on it: libzmq has added this
    /// one, and so has the ledger, since it will be reported as ended.
    case tooMany
  }

  private struct Entry {
    var topics: Set<[UInt8]> = []
    var bytes = 0
  }

  private let topicLimit: Int
  private let byteLimit: Int
  private let allBytesLimit: Int
  private let share: Int
  /// What all topics have in bytes, each counted once.
  private var allBytes = 0
  private var entries: [UInt64: Entry] = [:]
  private var counts: [[UInt8]: Int] = [:]
  /// The connections of a descriptor: the latest, and the one before, whose last words may still be under way.
  private var connections: [Int32: (latest: UInt64, before: UInt64?)] = [:]

  /// An empty ledger.
  ///
  /// - Parameters:
  ///   - topics: how many topics one connection may have.
  ///   - bytes: how many bytes these may have together: libzmq keeps some 35 for each.
  ///   - allBytes: how many bytes the topics of all connections may have together, each counted once.
  ///   - share: how many bytes of them a connection may have whatever the others have: so those that take the most are
  ///     refused more, and not everybody who comes after them.
  package init(topics: Int, bytes: Int, allBytes: Int = .max, share: Int = 0) {
    (topicLimit, byteLimit, allBytesLimit, self.share) = (topics, bytes, allBytes, share)
  }

  /// How many topics somebody listens to.
  package var count: Int { counts.count }

  /// How many topics a connection has.
  package func count(of connection: UInt64) -> Int { entries[connection]?.topics.count ?? 0 }

  /// A connection has said that it wants a topic; once more, if it wants to be told anew.
  package mutating func subscribed(_ connection: UInt64, on descriptor: Int32, to topic: [UInt8]) -> Outcome {
    note(connection, on: descriptor)
    guard entries[connection, default: Entry()].topics.insert(topic).inserted else { return .began }
    entries[connection]?.bytes += topic.count
    let count = counts[topic, default: 0]
    counts[topic] = count + 1
    if count == 0 { allBytes += topic.count }
    return topic.count > Topic.longestSubscription || isTooMuch(entries[connection]) ? .tooMany : .began
  }

  /// A connection has said that it does not want a topic any more.
  package mutating func unsubscribed(_ connection: UInt64, from topic: [UInt8]) -> Outcome {
    guard entries[connection]?.topics.remove(topic) != nil else { return .nothing }
    entries[connection]?.bytes -= topic.count
    if count(of: connection) == 0 { entries[connection] = nil }
    return release(topic)
  }

  /// A connection that had a topic has ended.
  package mutating func ended(topic: [UInt8]) -> Outcome { release(topic) }

  private func isTooMuch(_ entry: Entry?) -> Bool {
    guard let entry else { return false }
    return entry.topics.count > topicLimit || entry.bytes > byteLimit || allBytes > allBytesLimit && entry.bytes > share
  }

  /// Takes note of which connection has a descriptor: those of two before are gone, and all their words heard. Their
  /// topics were, or will be, reported as ended.
  private mutating func note(_ connection: UInt64, on descriptor: Int32) {
    guard let known = connections[descriptor] else { return connections[descriptor] = (connection, nil) }
    guard connection > known.latest else { return }
    if let before = known.before { entries[before] = nil }
    connections[descriptor] = (connection, known.latest)
  }

  private mutating func release(_ topic: [UInt8]) -> Outcome {
    guard let count = counts[topic] else { return .nothing }
    counts[topic] = count > 1 ? count - 1 : nil
    if count == 1 { allBytes -= topic.count }
    return count > 1 ? .nothing : .ended
  }
}
