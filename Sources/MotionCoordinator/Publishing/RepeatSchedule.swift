/// Decides when topics that fell quiet say their last word again, so that its loss is noticed: the decision alone.
///
/// Topics are small numbers. Everything costs the same however many topics there are: for each repetition there is a
/// list of the topics that wait for it, in the order in which they spoke last.
struct RepeatSchedule {
  /// How long after its last word a topic says it again.
  static let times: [Duration] = [.milliseconds(100), .seconds(1)]

  private struct Entry {
    var lastSaid = Duration.zero
    /// For which repetition it waits; `nil` when it has nothing to repeat.
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

  /// A topic said something new.
  mutating func said(_ topic: Int, at now: Duration) {
    while entries.count <= topic { entries.append(Entry()) }
    forget(topic)
    entries[topic].lastSaid = now
    append(topic, to: 0)
  }

  /// A topic has nothing to repeat.
  mutating func forget(_ topic: Int) {
    guard topic < entries.count, let stage = entries[topic].stage else { return }
    let (previous, next) = (entries[topic].previous, entries[topic].next)
    if let previous { entries[previous].next = next } else { lists[stage].first = next }
    if let next { entries[next].previous = previous } else { lists[stage].last = previous }
    entries[topic].stage = nil
  }

  /// When the next topic has to repeat its last word; `nil` when none has to.
  var nextDeadline: Duration? {
    var deadline: Duration?
    for stage in lists.indices {
      guard let due = due(stage) else { continue }
      deadline = deadline.map { min($0, due) } ?? due
    }
    return deadline
  }

  /// Takes a topic that has to repeat its last word now. Ask again until there is none.
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

  /// Whoever spoke last comes last: topics move to the next list in the order in which they left this one.
  private mutating func append(_ topic: Int, to stage: Int) {
    entries[topic].stage = stage
    entries[topic].previous = lists[stage].last
    entries[topic].next = nil
    if let last = lists[stage].last { entries[last].next = topic } else { lists[stage].first = topic }
    lists[stage].last = topic
  }
}
