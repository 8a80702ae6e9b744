/// Decides when quiet topics resend their last message, so that its loss is detected. This type only decides; its owner
/// acts.
///
/// Topics are small numbers. Every call costs the same however many topics there are: for each resend there is a list
/// of the topics that wait for it, in the order of their last messages.
struct RepeatSchedule {
  /// How long after its last message a topic resends it.
  static let times: [Duration] = [.milliseconds(100), .seconds(1)]

  private struct Entry {
    var lastSaid = Duration.zero
    /// The resend that it waits for; `nil` when it has nothing to resend.
    var stage: Int?
    var previous: Int?
    var next: Int?
  }

  private struct List {
    var first: Int?
    var last: Int?
  }

  private var entries: [Entry] = []
  private var lists = [List](repeating: List(), count: times.count)

  /// Records a new message of a topic.
  mutating func said(_ topic: Int, at now: Duration) {
    while entries.count <= topic { entries.append(Entry()) }
    forget(topic)
    entries[topic].lastSaid = now
    append(topic, to: 0)
  }

  /// Removes a topic, which has nothing to resend.
  mutating func forget(_ topic: Int) {
    guard topic < entries.count, let stage = entries[topic].stage else { return }
    let (previous, next) = (entries[topic].previous, entries[topic].next)
    if let previous { entries[previous].next = next } else { lists[stage].first = next }
    if let next { entries[next].previous = previous } else { lists[stage].last = previous }
    entries[topic].stage = nil
  }

  /// When the next topic has to resend its last message; `nil` when none has to.
  var nextDeadline: Duration? {
    var deadline: Duration?
    for stage in lists.indices {
      guard let due = due(stage) else { continue }
      deadline = deadline.map { min($0, due) } ?? due
    }
    return deadline
  }

  /// Takes out a topic that has to resend its last message now. Call it again until there is none.
  mutating func takeDue(at now: Duration) -> Int? {
    for stage in lists.indices {
      guard let due = due(stage), now >= due, let topic = lists[stage].first else { continue }
      forget(topic)
      if stage + 1 < lists.count { append(topic, to: stage + 1) }
      return topic
    }
    return nil
  }

  private func due(_ stage: Int) -> Duration? { lists[stage].first.map { entries[$0].lastSaid + Self.times[stage] } }

  /// Appends a topic at the end: topics move to the next list in the order in which they left this one.
  private mutating func append(_ topic: Int, to stage: Int) {
    entries[topic].stage = stage
    entries[topic].previous = lists[stage].last
    entries[topic].next = nil
    if let last = lists[stage].last { entries[last].next = topic } else { lists[stage].first = topic }
    lists[stage].last = topic
  }
}
