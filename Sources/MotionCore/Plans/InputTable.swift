import MotionModel

/// The input values, and which executors follow them.
struct InputTable {
  /// What is known about a name.
  private struct Entry {
    var row: InputRow?
    /// The executors that follow the name, whether or not it has a value, and by how many plans.
    var followers: [ExecutorHandle: Int] = [:]
  }

  private var entries: [InputName: Entry] = [:]
  /// The number of names that have a value.
  private(set) var count = 0

  /// The present value of a name.
  subscript(name: InputName) -> InputRow? { entries[name]?.row }

  /// The values by name, with the numbers of their followers.
  var sorted: [InputRow] {
    entries.values.compactMap { entry in
      var row = entry.row
      row?.followers = entry.followers.count
      return row
    }.sorted { $0.name < $1.name }
  }

  /// Whether a name has a value, and whether a plan follows it.
  func state(of name: InputName) -> (isKnown: Bool, isFollowed: Bool) {
    entries[name].map { ($0.row != nil, !$0.followers.isEmpty) } ?? (false, false)
  }

  /// Takes over a value; without lanes, the name has none from now on.
  ///
  /// - Parameter time: the present simulated time; a value is not later.
  /// - Returns: the value that the name has now, and the executors that follow it, in any order.
  mutating func take(
    _ value: InputValue, from device: DeviceName, at time: Double
  ) -> (row: InputRow?, followers: some Collection<ExecutorHandle>) {
    let row = value.value.map {
      InputRow(value.name, $0, time: min(value.time, time), device: device, isHeld: value.isHeld)
    }
    return change(value.name) { entry in
      entry.row = row
      return (row, entry.followers.keys)
    }
  }

  /// Notes that a plan follows an input, or no longer follows it.
  mutating func note(_ plan: IntentionRecord, isFollowing: Bool) {
    guard let name = plan.intention.followedInput else { return }
    change(name) { entry in
      let count = (entry.followers[plan.executor] ?? 0) + (isFollowing ? 1 : -1)
      entry.followers[plan.executor] = count > 0 ? count : nil
    }
  }

  /// Changes the entry of a name; one that says nothing is dropped.
  private mutating func change<Result>(_ name: InputName, _ body: (inout Entry) -> Result) -> Result {
    var (difference, isEmpty) = (0, false)
    func change(_ entry: inout Entry) -> Result {
      let before = entry.row == nil ? 0 : 1
      let result = body(&entry)
      difference = (entry.row == nil ? 0 : 1) - before
      isEmpty = entry.row == nil && entry.followers.isEmpty
      return result
    }
    let result = change(&entries[name, default: Entry()])
    count += difference
    if isEmpty { entries[name] = nil }
    return result
  }
}
