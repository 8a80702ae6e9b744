/// The motions that share a key, at rest or not.
struct SpringKin {
  /// The number of motions that share the key.
  var members = 0
  /// Their group, or ``SpringBank/noGroup`` while they are few, or while none of them moves.
  var group = SpringBank.noGroup
}

extension SpringBank {
  /// The number of motions of one key from which a group of their own is cheaper.
  ///
  /// A step of a group costs some 17 ns beside its rows. A row in a mixed group costs 0.2 ns (in the first cache) to
  /// 0.5 ns more than in a group of its own. The costs break even between 35 and 85 rows. Motions that were in a mixed
  /// group stay there until they are next woken, so that no insertion moves other motions.
  static let fewestOfGroup = 64

  /// Inserts an entry into the moving rows of its key's group, with this state, whatever its state was before.
  func wake(
    _ index: UInt32, key: SpringGroupKey, value: SIMD4<Double>, velocity: SIMD4<Double>, place: SIMD4<Double>
  ) {
    let entry = entries.base + Int(index)
    if !entry.pointee.isMoving || entry.pointee.key != key {
      if entry.pointee.isMoving { takeOutOfGroup(Int(index)) }
      if entry.pointee.key != key {
        if !entry.pointee.isFree { leave(entry.pointee.key) }
        kinOfKey[key, default: SpringKin()].members += 1
      }
      let group = self.group(of: key, hint: entry.pointee.group)
      let row = groups.base[Int(group)].append(SpringRow(entry: index, tag: entry.pointee.tag), key)
      entry.pointee.key = key
      entry.pointee.group = group
      entry.pointee.row = UInt32(row)
      movingCount += 1
    }
    groups.base[Int(entry.pointee.group)].setState(
      row: Int(entry.pointee.row), value: value, velocity: velocity, place: place)
  }

  /// Removes a moving entry's row. The entry then counts as at rest; the caller must still write its resting value.
  func takeOutOfGroup(_ index: Int) {
    let entry = entries.base + index
    let group = groups.base + Int(entry.pointee.group)
    if let moved = group.pointee.remove(row: Int(entry.pointee.row)) {
      entries.base[Int(moved)].row = entry.pointee.row
    }
    entry.pointee.row = Self.atRest
    movingCount -= 1
    if group.pointee.count == 0, !group.pointee.isMixed, !group.pointee.isListedAsIdle {
      group.pointee.isListedAsIdle = true
      idleGroups.append(entry.pointee.group)
    }
  }

  /// Removes an entry from the count of its key.
  func leave(_ key: SpringGroupKey) {
    guard var kin = kinOfKey[key] else { return }
    kin.members -= 1
    // The group, if there is one, stays registered under its key until another key takes it over.
    kinOfKey[key] = kin.members > 0 || kin.group != Self.noGroup ? kin : nil
  }

  /// Returns the group for a motion of this key, which its kin already count: a group of their own where they are many,
  /// else the mixed one.
  ///
  /// The group that the motion was in last is tried first.
  func group(of key: SpringGroupKey, hint: UInt32) -> UInt32 {
    if hint < groups.count, groups.base[Int(hint)].key == key, !groups.base[Int(hint)].isMixed { return hint }
    let kin = kinOfKey[key] ?? SpringKin()
    if kin.group != Self.noGroup { return kin.group }
    if kin.members < Self.fewestOfGroup, key.canBeMixed { return mixedGroup(lanes: key.lanes) }
    let group = takeIdleGroup(for: key) ?? add(SpringGroup(key))
    kinOfKey[key]?.group = group
    return group
  }

  private func mixedGroup(lanes: UInt8) -> UInt32 {
    let lane = Int(lanes) - 1
    if mixedGroups[lane] == Self.noGroup { mixedGroups[lane] = add(SpringGroup(mixedLanes: lanes)) }
    return mixedGroups[lane]
  }

  /// Reuses a group without rows for another key.
  ///
  /// So there are never more groups than had rows at the same time, however many coefficients come and go.
  private func takeIdleGroup(for key: SpringGroupKey) -> UInt32? {
    // A listed group may have got rows again; it is listed again when it next empties.
    while let idle = idleGroups.popLast() {
      let group = groups.base + Int(idle)
      group.pointee.isListedAsIdle = false
      guard group.pointee.count == 0 else { continue }
      let old = group.pointee.key
      kinOfKey[old]?.group = Self.noGroup
      if kinOfKey[old]?.members == 0 { kinOfKey[old] = nil }
      group.pointee.adopt(key)
      return idle
    }
    return nil
  }

  private func add(_ group: SpringGroup) -> UInt32 {
    groups.append(group)
    idleGroups.reserve(groups.capacity)
    return UInt32(groups.count - 1)
  }
}
