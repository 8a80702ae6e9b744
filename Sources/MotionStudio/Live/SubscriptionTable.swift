/// The subscriptions of a viewer: several may be to one channel.
struct SubscriptionTable {
  private var channelOf: [UInt32: UInt32] = [:]
  private var ids: [UInt32: [UInt32]] = [:]

  /// The result of a new subscription.
  enum Addition {
    /// The first one to its channel.
    case first
    /// A further one.
    case further
    /// The number is taken.
    case taken
    /// There are ``StudioLimits/subscriptions`` already.
    case tooMany

    /// Why there is no subscription, for people; `nil` if there is one.
    func problem(with row: ViewerMessage.Subscription) -> String? {
      switch self {
      case .taken: "there is a subscription \(row.id) already"
      case .tooMany: "a viewer may have \(StudioLimits.subscriptions) subscriptions"
      case .first, .further: nil
      }
    }
  }

  /// Adds a subscription.
  mutating func add(_ id: UInt32, to channel: UInt32) -> Addition {
    guard channelOf[id] == nil else { return .taken }
    guard channelOf.count < StudioLimits.subscriptions else { return .tooMany }
    channelOf[id] = channel
    ids[channel, default: []].append(id)
    return ids[channel]?.count == 1 ? .first : .further
  }

  /// Ends a subscription.
  ///
  /// - Returns: its channel, if there was such a subscription, and whether it was the last one to it.
  mutating func remove(_ id: UInt32) -> (channel: UInt32, isLast: Bool)? {
    guard let channel = channelOf.removeValue(forKey: id) else { return nil }
    ids[channel]?.removeAll { $0 == id }
    guard ids[channel]?.isEmpty == true else { return (channel, false) }
    ids[channel] = nil
    return (channel, true)
  }

  /// Ends all subscriptions to a channel; returns whether there were any.
  mutating func removeAll(to channel: UInt32) -> Bool {
    guard let numbers = ids.removeValue(forKey: channel) else { return false }
    for id in numbers { channelOf[id] = nil }
    return true
  }

  /// The channels with subscriptions.
  var channels: some Sequence<UInt32> { ids.keys }

  /// The numbers of the subscriptions to a channel.
  func numbers(of channel: UInt32) -> [UInt32] { ids[channel] ?? [] }

  /// Whether a channel has a subscription.
  func includes(_ channel: UInt32) -> Bool { ids[channel] != nil }
}
