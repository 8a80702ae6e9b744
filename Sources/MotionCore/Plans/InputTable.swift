import MotionModel

/// The input values, and which executors follow them.
struct InputTable {
  private var rows: [InputName: InputRow] = [:]
  /// The executors that follow a name, whether or not it has a value, and by how many plans.
  private var followers: [InputName: [ExecutorHandle: Int]] = [:]

  /// The present value of a name.
  subscript(name: InputName) -> InputRow? { rows[name] }

  /// The number of names that have a value.
  var count: Int { rows.count }

  /// The values by name, with the numbers of their followers.
  var sorted: [InputRow] {
    rows.values.sorted { $0.name < $1.name }.map { row in
      var row = row
      row.followers = followers[row.name]?.count ?? 0
      return row
    }
  }

  /// Takes over a value; without lanes, the name has none from now on.
  ///
  /// - Parameter time: the present simulated time; a value is not later.
  /// - Returns: the value that the name has now.
  mutating func take(_ value: InputValue, from device: DeviceName, at time: Double) -> InputRow? {
    rows[value.name] = value.value.map {
      InputRow(value.name, $0, time: min(value.time, time), device: device, isHeld: value.isHeld)
    }
    return rows[value.name]
  }

  // MARK: Followers

  /// Notes that a plan follows an input, or no longer follows it.
  mutating func note(_ plan: IntentionRecord, isFollowing: Bool) {
    guard let name = plan.intention.followedInput else { return }
    let count = (followers[name]?[plan.executor] ?? 0) + (isFollowing ? 1 : -1)
    followers[name, default: [:]][plan.executor] = count > 0 ? count : nil
    if followers[name]?.isEmpty == true { followers[name] = nil }
  }

  /// Whether a plan follows a name.
  func isFollowed(_ name: InputName) -> Bool { followers[name] != nil }

  /// The executors that follow a name, in any order.
  func followers(of name: InputName) -> some Collection<ExecutorHandle> { (followers[name] ?? [:]).keys }
}
