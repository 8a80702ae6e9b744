import MotionCore
import MotionModel
import MotionWire

/// What a checkpoint says of targets and plans, kept up to date with what changes, so that writing one is copying bytes.
///
/// It lives on the journal's thread. A plan takes the bytes of its message and 32 more, a target likewise.
struct CheckpointMirror {
  private var targets = OrderedParts()
  /// The rows of each target's properties, in order, for those that have any.
  private var rows: [UInt64: [UInt32]] = [:]
  /// Properties of targets that were not encoded yet, because only the columns know their lanes.
  private var fresh: [UInt64: (TargetName, [PropertyName])] = [:]
  private var plans = OrderedParts()
  private var waiting: [UInt64: [UInt8]] = [:]

  /// Takes over what changed on a target.
  mutating func take(_ change: CheckpointChanges.TargetChange) {
    switch change {
    case .kept(let ordinal, let name, let properties):
      targets.set(ordinal, [])
      rows[ordinal] = properties.map { UInt32($0.row) }
      fresh[ordinal] = (name, properties.map(\.name))
    case .forgotten(let ordinal):
      targets.remove(ordinal)
      rows[ordinal] = nil
      fresh[ordinal] = nil
    }
  }

  /// Takes over what changed of a plan.
  mutating func take(_ change: CheckpointChanges.PlanChange) {
    switch change {
    case .kept(let order, let plan): plans.set(order, CheckpointBytes.part(plan: plan))
    case .gone(let order): plans.remove(order)
    }
  }

  /// The bytes of the checkpoint with this clock and these places; everything that changed before has been taken over.
  mutating func bytes(head: RuntimeCheckpoint, _ columns: PropertyColumns) -> [UInt8] {
    encodeFresh(columns)
    var bytes = CheckpointBytes(head: head, reserving: targets.count + plans.count + 16 * columns.values.count + 4096)
    var (values, velocities): ([Double], [Double]) = ([], [])
    values.reserveCapacity(columns.values.count)
    velocities.reserveCapacity(columns.values.count)
    targets.forEach { ordinal, part in
      bytes.append(part)
      for row in rows[ordinal] ?? [] {
        let row = columns.rows[Int(row)]
        values += columns.values[row.first..<row.first + row.lanes]
        velocities += columns.velocities[row.first..<row.first + row.lanes]
      }
    }
    plans.forEach { _, part in bytes.append(part) }
    for part in parts(of: head.waiting) { bytes.append(part) }
    bytes.append(values: values, velocities: velocities)
    return bytes.bytes
  }

  private mutating func encodeFresh(_ columns: PropertyColumns) {
    for (ordinal, (name, properties)) in fresh {
      let lanes = (rows[ordinal] ?? []).map { columns.rows[Int($0)].lanes }
      targets.set(ordinal, CheckpointBytes.part(target: name, zip(properties, lanes).map { ($0, lanes: $1) }))
    }
    fresh = [:]
  }

  /// Those that wait, each encoded once.
  private mutating func parts(of entries: [RuntimeCheckpoint.Waiting]) -> [[UInt8]] {
    let known = waiting
    waiting = [:]
    return entries.map { entry in
      let part = known[entry.sequence] ?? CheckpointBytes.part(waiting: entry)
      waiting[entry.sequence] = part
      return part
    }
  }
}

/// Bytes by number, in the order of numbers, which grow: all in one block, because a million small arrays would take
/// several times as much.
struct OrderedParts {
  private struct Place {
    var number: UInt64
    var first: Int
    /// Less than 0 once it was removed.
    var count: Int32
  }

  private var places: [Place] = []
  private var block: [UInt8] = []
  private var removed = 0
  private var live = 0

  /// How many bytes there are.
  var count: Int { live }

  /// Sets the bytes of a number. Costs nothing for one that is there, or one higher than all before; else linear.
  mutating func set(_ number: UInt64, _ bytes: [UInt8]) {
    let place = Place(number: number, first: block.count, count: Int32(bytes.count))
    if let index = index(of: number) {
      live -= Int(max(0, places[index].count))
      places[index] = place
    } else {
      places.insert(place, at: lowerBound(of: number))
    }
    block += bytes
    live += bytes.count
    tidy()
  }

  /// Removes a number, if it is there.
  mutating func remove(_ number: UInt64) {
    guard let index = index(of: number), places[index].count >= 0 else { return }
    live -= Int(places[index].count)
    places[index].count = -1
    removed += 1
    tidy()
  }

  /// Goes through all of them, in order of their numbers.
  func forEach(_ body: (_ number: UInt64, _ bytes: ArraySlice<UInt8>) -> Void) {
    for place in places where place.count >= 0 {
      body(place.number, block[place.first..<place.first + Int(place.count)])
    }
  }

  private func index(of number: UInt64) -> Int? {
    let index = lowerBound(of: number)
    return index < places.count && places[index].number == number ? index : nil
  }

  /// Where a number stands, or would stand.
  private func lowerBound(of number: UInt64) -> Int {
    // The newest are looked for most.
    guard let last = places.last, number <= last.number else { return places.count }
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Cuts out what is gone when it is the larger part, so that doing so costs nothing in the mean.
  private mutating func tidy() {
    guard removed > 1024 + places.count / 2 || block.count > 65_536 + 2 * live else { return }
    var kept: [UInt8] = []
    kept.reserveCapacity(live)
    places.removeAll { $0.count < 0 }
    for index in places.indices {
      let place = places[index]
      places[index].first = kept.count
      kept += block[place.first..<place.first + Int(place.count)]
    }
    block = kept
    removed = 0
  }
}
