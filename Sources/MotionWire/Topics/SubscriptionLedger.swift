/// The subscriptions on a publisher's socket, by connection.
///
/// libzmq's XPUB keeps the same record, but gives no access to it. It reports an unsubscription also when the peer had
/// never subscribed. A publisher that relied on that report would take the topic from all other subscribers. XPUB also
/// sets no limits.
///
/// The ledger needs a report of every subscription and every unsubscription (`ZMQ_XPUB_VERBOSER`), with the number and
/// the descriptor of the connection. Numbers grow and are never reused; descriptors are reused. When a connection ends,
/// each of its topics is reported once as unsubscribed, and the report does not name the connection.
package struct SubscriptionLedger {
  /// The meaning of a report.
  package enum Outcome: Hashable, Sendable {
    /// A connection has subscribed to a topic, and must receive the present state of the topic.
    case began
    /// The topic has no subscriber any more.
    case ended
    /// The report has no consequence: the topic has other subscribers, or the connection had not subscribed to it.
    case nothing
    /// The connection has more topics than it may, or one that is longer than any. The caller must close it. libzmq has
    /// added the topic, and so has the ledger, since the topic will be reported as ended.
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
  /// The number of bytes of all topics, each counted once.
  private var allBytes = 0
  private var entries: [UInt64: Entry] = [:]
  private var counts: [[UInt8]: Int] = [:]
  /// The connections of a descriptor: the latest, and the one before, whose last messages may still be in transit.
  private var connections: [Int32: (latest: UInt64, before: UInt64?)] = [:]

  /// An empty ledger.
  ///
  /// - Parameters:
  ///   - topics: the maximum number of topics of one connection.
  ///   - bytes: the maximum number of bytes of these topics together: libzmq keeps some 35 for each.
  ///   - allBytes: the maximum number of bytes of the topics of all connections together, each counted once.
  ///   - share: the number of bytes that a connection may always use, whatever the others use. So the connections that
  ///     use the most are refused more, and not every later connection.
  package init(topics: Int, bytes: Int, allBytes: Int = .max, share: Int = 0) {
    (topicLimit, byteLimit, allBytesLimit, self.share) = (topics, bytes, allBytes, share)
  }

  /// The number of topics with a subscriber.
  package var count: Int { counts.count }

  /// The number of topics of a connection.
  package func count(of connection: UInt64) -> Int { entries[connection]?.topics.count ?? 0 }

  /// Records that a connection has subscribed to a topic. It may subscribe again, to receive the present state again.
  package mutating func subscribed(_ connection: UInt64, on descriptor: Int32, to topic: [UInt8]) -> Outcome {
    note(connection, on: descriptor)
    guard entries[connection, default: Entry()].topics.insert(topic).inserted else { return .began }
    entries[connection]?.bytes += topic.count
    let count = counts[topic, default: 0]
    counts[topic] = count + 1
    if count == 0 { allBytes += topic.count }
    return topic.count > Topic.longestSubscription || isTooMuch(entries[connection]) ? .tooMany : .began
  }

  /// Records that a connection has unsubscribed from a topic.
  package mutating func unsubscribed(_ connection: UInt64, from topic: [UInt8]) -> Outcome {
    guard entries[connection]?.topics.remove(topic) != nil else { return .nothing }
    entries[connection]?.bytes -= topic.count
    if count(of: connection) == 0 { entries[connection] = nil }
    return release(topic)
  }

  /// Records that a connection with this topic has closed.
  package mutating func ended(topic: [UInt8]) -> Outcome { release(topic) }

  private func isTooMuch(_ entry: Entry?) -> Bool {
    guard let entry else { return false }
    return entry.topics.count > topicLimit || entry.bytes > byteLimit || allBytes > allBytesLimit && entry.bytes > share
  }

  /// Records the connection of a descriptor. The connection two before it has closed, and all its messages have been
  /// received. Its topics were, or will be, reported as ended.
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
