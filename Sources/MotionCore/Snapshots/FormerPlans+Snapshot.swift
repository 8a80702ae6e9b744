import MotionModel

extension FormerPlans {
  /// Writes the plans that are kept, the oldest first, and the provenance of each of their transactions once.
  func write(to bytes: inout SnapshotWriter, handle: (PropertyTable.Slot) -> PropertyHandle) {
    let plans = inOrder
    var provenances: [UInt64: Provenance] = [:]
    for (_, entry) in plans { provenances[entry.identity.sequence] = entry.provenance }
    bytes.write(provenances.sorted { $0.key < $1.key }) { bytes, entry in
      bytes.write(entry.key)
      bytes.write(entry.value)
    }
    bytes.write(plans) { bytes, plan in
      bytes.write(UInt64(handle(plan.slot).rawValue))
      bytes.write(plan.entry.identity)
      bytes.write(plan.entry.type.text)
      bytes.write(plan.entry.name) { $0.write($1.text) }
      bytes.write(plan.entry.provenance != nil)
      bytes.write(plan.entry.end.rawValue)
      bytes.write(plan.entry.time)
      bytes.write(plan.entry.stopper) { $0.write($1) }
    }
  }

  /// Reads what another runtime kept.
  mutating func restore(
    _ bytes: inout SnapshotReader, hasStoppers: Bool, slot: (PropertyHandle) -> PropertyTable.Slot?
  ) throws {
    var provenances: [UInt64: Provenance] = [:]
    for _ in 0..<(try bytes.count()) {
      let sequence = try bytes.number()
      provenances[sequence] = try bytes.provenance()
    }
    for _ in 0..<(try bytes.number(below: Self.kept + 1)) {
      guard let slot = slot(PropertyHandle(try bytes.number32())) else { throw bytes.damage }
      let identity = try bytes.identity()
      guard let type = try? IntentionType(try bytes.text()) else { throw bytes.damage }
      let name = try bytes.optional { bytes in
        guard let name = try? IntentionName(try bytes.text()) else { throw bytes.damage }
        return name
      }
      let provenance = try bytes.flag() ? provenances[identity.sequence] : nil
      guard let end = Explanation.FormerPlan.End(rawValue: try bytes.text()) else { throw bytes.damage }
      note(
        Entry(
          identity: identity, type: type, name: name, provenance: provenance, end: end, time: try bytes.double(),
          stopper: hasStoppers ? try bytes.optional { try $0.committer() } : nil),
        of: slot)
    }
  }
}

extension SnapshotWriter {
  fileprivate mutating func write(_ provenance: Provenance) {
    write(provenance.client)
    write(provenance.onBehalfOf) { $0.write($1) }
    write(UInt64(bitPattern: provenance.wallTime))
    write(provenance.comment)
  }

  fileprivate mutating func write(_ committer: Committer) {
    write(committer.name)
    write(committer.user) { $0.write(UInt64($1)) }
    write(committer.process) { $0.write(UInt64(UInt32(bitPattern: $1))) }
    write(committer.key)
  }
}

extension SnapshotReader {
  fileprivate mutating func provenance() throws -> Provenance {
    let (client, other) = (try committer(), try optional { try $0.committer() })
    let wallTime = Int64(bitPattern: try number())
    return Provenance(client, onBehalfOf: other, wallTime: wallTime, comment: try text())
  }

  fileprivate mutating func committer() throws -> Committer {
    let (name, user) = (try text(), try optional { try $0.number32() })
    let process = try optional { Int32(bitPattern: try $0.number32()) }
    return Committer(name: name, user: user, process: process, key: try text())
  }
}
