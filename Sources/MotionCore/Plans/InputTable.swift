import MotionModel

/// The input values, those that wait for the next frame, and which executors follow them.
struct InputTable {
  /// What is known about a name. An object, so that a value costs one search for its name and is stored in place.
  private final class Entry {
    let name: InputName
    var row: InputRow?
    /// The executors that follow the name, whether or not it has a value, and by how many plans.
    var followers: [ExecutorHandle: Int] = [:]
    /// The newest value, if the next frame applies it.
    var waiting: (device: DeviceName, value: InputValue)?

    init(_ name: InputName) { self.name = name }

    var isEmpty: Bool { row == nil && followers.isEmpty && waiting == nil }
  }

  private var entries: [InputName: Entry] = [:]
  /// Those with a value that waits, in order of arrival.
  private var waiting: [Entry] = []
  /// Whether a plan follows one of them.
  private(set) var hasFollowedWaiting = false
  /// The number of names that have a value.
  private(set) var count = 0

  /// The present value of a name.
  subscript(name: InputName) -> InputRow? { entries[name]?.row }

  /// The values by name, with the numbers of their followers; of those that wait for the next frame, the newest.
  var sorted: [InputRow] {
    entries.values.compactMap { entry in
      var row = entry.row
      if let (device, value) = entry.waiting {
        row = value.value.map { InputRow(entry.name, $0, time: value.time, device: device, isHeld: value.isHeld) }
      }
      row?.followers = entry.followers.count
      return row
    }.sorted { $0.name < $1.name }
  }

  /// The values that frames have applied, by name.
  var rows: [InputRow] { entries.values.compactMap(\.row).sorted { $0.name < $1.name } }

  /// Takes over a value of another runtime.
  mutating func restore(_ row: InputRow) {
    let entry = entry(of: row.name)
    if entry.row == nil { count += 1 }
    entry.row = row
  }

  // MARK: Waiting

  /// Keeps the values for the next frame: of each name the newest.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when a value is out of range, or there would be too many names; then none counts.
  mutating func keep(_ input: InputValues) throws(Refusal) {
    var known: [Entry?] = []
    known.reserveCapacity(input.values.count)
    var new: Set<InputName> = []
    for value in input.values {
      try value.check()
      let entry = entries[value.name]
      known.append(entry)
      if value.value != nil, entry?.row == nil, entry?.waiting == nil { new.insert(value.name) }
    }
    if !new.isEmpty {
      let names = count + waiting.count { $0.row == nil }
      guard names + new.count <= Limits.inputValues else {
        throw Refusal(
          .limit, "there are \(names) input values, and at most \(Limits.inputValues)",
          remedy: "Send fewer names, or withdraw held values: a value without numbers withdraws its name")
      }
    }
    for (value, entry) in zip(input.values, known) {
      keep(value, from: input.device, in: entry ?? self.entry(of: value.name))
    }
  }

  private mutating func keep(_ value: InputValue, from device: DeviceName, in entry: Entry) {
    if entry.waiting == nil { waiting.append(entry) }
    entry.waiting = (device, value)
    if !entry.followers.isEmpty { hasFollowedWaiting = true }
  }

  /// Whether a value, or a withdrawal, waits for the next frame.
  func hasWaiting(_ name: InputName) -> Bool { entries[name]?.waiting != nil }

  /// The values that wait, one event for each device, in an order that is the same at each run.
  var waitingEvents: [RuntimeEvent] {
    var inputs: [InputValues] = []
    for entry in waiting.sorted(by: { $0.name < $1.name }) {
      guard let (device, value) = entry.waiting else { continue }
      if let index = inputs.firstIndex(where: { $0.device == device }) {
        inputs[index].values.append(value)
      } else {
        inputs.append(InputValues(from: device, [value]))
      }
    }
    return inputs.sorted { $0.device < $1.device }.map { .inputValues($0) }
  }

  /// Takes out the values that wait.
  mutating func takeWaiting() -> [RuntimeEvent] {
    guard !waiting.isEmpty else { return [] }
    let events = waitingEvents
    for entry in waiting {
      entry.waiting = nil
      // Its row follows when the event is applied.
      if entry.isEmpty { entries[entry.name] = nil }
    }
    waiting.removeAll(keepingCapacity: true)
    hasFollowedWaiting = false
    return events
  }

  // MARK: Values

  /// Takes over a value; without lanes, the name has none from now on.
  ///
  /// - Parameter time: the present simulated time; a value is not later.
  /// - Returns: the value that the name has now, and the executors that follow it, in any order.
  mutating func take(
    _ value: InputValue, from device: DeviceName, at time: Double
  ) -> (row: InputRow?, followers: some Collection<ExecutorHandle>) {
    let entry = entry(of: value.name)
    let row = value.value.map {
      InputRow(value.name, $0, time: min(value.time, time), device: device, isHeld: value.isHeld)
    }
    count += (row == nil ? 0 : 1) - (entry.row == nil ? 0 : 1)
    entry.row = row
    if entry.isEmpty { entries[value.name] = nil }
    return (row, entry.followers.keys)
  }

  /// Notes that a plan follows an input, or no longer follows it.
  mutating func note(_ plan: IntentionRecord, isFollowing: Bool) {
    guard let name = plan.intention.followedInput else { return }
    let entry = entry(of: name)
    let count = (entry.followers[plan.executor] ?? 0) + (isFollowing ? 1 : -1)
    entry.followers[plan.executor] = count > 0 ? count : nil
    if entry.waiting != nil, !entry.followers.isEmpty { hasFollowedWaiting = true }
    if entry.isEmpty { entries[name] = nil }
  }

  private mutating func entry(of name: InputName) -> Entry {
    if let entry = entries[name] { return entry }
    let entry = Entry(name)
    entries[name] = entry
    return entry
  }
}
