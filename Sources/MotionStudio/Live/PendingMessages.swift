import MotionWire

/// The subscriptions of a viewer, and what waits to be sent for them: of values the newest of each channel, and all changes
/// of drivers and lines of the log, up to a limit.
struct PendingMessages {
  /// A message that waits for room.
  private struct Queued {
    let channel: UInt32
    let payload: [UInt8]
    let wallTime: UInt64
  }

  var subscriptions = SubscriptionTable()
  var samples = SampleTable()
  private var queue: [Queued] = []
  private var dropped = 0

  var isEmpty: Bool { samples.isEmpty && queue.isEmpty }

  /// Adds a message of a channel that is always there, if the channel has a subscription.
  ///
  /// - Parameter wallTime: nanoseconds since 1970.
  mutating func add(_ payload: [UInt8], on channel: ChannelTable.Fixed, at wallTime: UInt64) {
    guard subscriptions.includes(channel.rawValue) else { return }
    guard queue.count < StudioLimits.queuedMessages else {
      dropped += 1
      return
    }
    queue.append(Queued(channel: channel.rawValue, payload: payload, wallTime: wallTime))
  }

  /// All that waits, as the viewer gets it.
  ///
  /// - Parameter time: the time of the server, in nanoseconds since 1970.
  mutating func takeAll(at time: UInt64) -> [SocketMessage] {
    var messages = [ServerMessage.time(time)]
    for message in queue { messages += data(message.payload, on: message.channel, at: message.wallTime) }
    queue.removeAll(keepingCapacity: true)
    if dropped > 0 {
      messages.append(ServerMessage.status(.warning, "\(dropped) changes of drivers or lines of the log were dropped"))
      dropped = 0
    }
    let columns = ChannelTable.Fixed.columns.rawValue
    guard subscriptions.includes(columns) else {
      for sample in samples.takeAll() { messages += data(sample.payload, on: sample.channel, at: sample.wallTime) }
      return messages
    }
    guard !samples.isEmpty else { return messages }
    return messages + data(samples.takeColumns { subscriptions.numbers(of: $0) }, on: columns, at: time)
  }

  /// Drops all values that wait, as of a place that was left.
  mutating func removeAll() {
    queue.removeAll(keepingCapacity: true)
    _ = samples.takeAll()
  }

  private func data(_ payload: [UInt8], on channel: UInt32, at wallTime: UInt64) -> [SocketMessage] {
    subscriptions.numbers(of: channel).map { ServerMessage.data($0, at: wallTime, payload) }
  }
}

/// Since when a viewer has left no room for what it is sent.
struct Stall {
  private var since: Duration?

  mutating func note(hasRoom: Bool, at now: Duration) {
    if hasRoom { since = nil } else if since == nil { since = now }
  }

  /// Whether it is so long that the connection is to be closed.
  func isOver(at now: Duration) -> Bool { since.map { now - $0 >= StudioLimits.stall } ?? false }
}
