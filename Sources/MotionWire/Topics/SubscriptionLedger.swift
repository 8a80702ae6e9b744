/// Who has subscribed to what on a publisher's socket, by connection.
///
/// libzmq's XPUB keeps that too, and tells it to nobody: it reports a withdrawal also when the peer had never subscribed,
/// so that whoever believes it takes the topic from all others. And it bounds nothing. The ledger needs every
/// subscription and every withdrawal reported (`ZMQ_XPUB_VERBOSER`), with a name of the connection that no other one ever
/// has. A connection that ends withdraws each of its topics once, and is not named then.
package struct SubscriptionLedger<Connection: Hashable> {
  /// What a report means.
  package enum Outcome: Hashable, Sendable {
    /// A connection listens to a topic: to be told what there is on it.
    case began
    /// Nobody listens to a topic any more.
    case ended
    /// Nothing has changed, or nothing that was true.
    case nothing
    /// The connection has more topics than it may. Hang up on it: libzmq has added this one, and so has the ledger, since
    /// it will be reported as ended.
    case tooMany
  }

  /// How many topics one connection may have.
  private let limit: Int
  private var topics: [Connection: Set<[UInt8]>] = [:]
  private var counts: [[UInt8]: Int] = [:]

  /// An empty ledger.
  ///
  /// - Parameter limit: how many topics one connection may have.
  package init(limit: Int) { self.limit = limit }

  /// How many topics somebody listens to.
  package var count: Int { counts.count }

  /// How many topics a connection has.
  package func count(of connection: Connection) -> Int { topics[connection]?.count ?? 0 }

  /// A connection has said that it wants a topic; once more, if it wants to be told anew.
  package mutating func subscribed(_ connection: Connection, to topic: [UInt8]) -> Outcome {
    guard topics[connection, default: []].insert(topic).inserted else { return .began }
    counts[topic, default: 0] += 1
    return count(of: connection) > limit ? .tooMany : .began
  }

  /// A connection has said that it does not want a topic any more.
  package mutating func unsubscribed(_ connection: Connection, from topic: [UInt8]) -> Outcome {
    guard topics[connection]?.remove(topic) != nil else { return .nothing }
    if topics[connection]?.isEmpty == true { topics[connection] = nil }
    return release(topic)
  }

  /// A connection that had a topic has ended.
  package mutating func ended(topic: [UInt8]) -> Outcome { release(topic) }

  /// Forgets a connection that is no more; its topics were, or will be, reported as ended.
  package mutating func forget(_ connection: Connection) { topics[connection] = nil }

  private mutating func release(_ topic: [UInt8]) -> Outcome {
    guard let count = counts[topic] else { return .nothing }
    counts[topic] = count > 1 ? count - 1 : nil
    return count > 1 ? .nothing : .ended
  }
}
