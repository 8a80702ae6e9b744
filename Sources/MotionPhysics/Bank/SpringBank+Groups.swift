/// The motions that share a key, at rest or not.
struct SpringKin {
  /// How many there are.
  var members = 0
  /// Their group, or ``SpringBank/noGroup`` while they are few, or while none of them moves.
  var group = SpringBank.noGroup
}

extension SpringBank {
  /// So many motions of one key make a group worth its while.
  ///
  /// A step of a group costs some 17 ns beside its rows, and a row among the mixed 0.2 ns (in the first cache) to 0.5 ns
  /// more than in a group: they meet between 35 and 85. Who was among the mixed before stays there until it is next
  /// woken, so that nobody is moved on another's account.
  static let fewestOfGroup = 64

  /// Puts an entry among the moving of its key's group, with this state, wherever it was before.
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

  /// Takes a moving entry's row away; the entry counts as at rest then, and its resting value is still to be written.
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

  /// Forgets that an entry has this key.
  func leave(_ key: SpringGroupKey) {
    guard var kin = kinOfKey[key] else { return }
    kin.members -= 1
    // The group, if there is one, is known by its key until another takes it over.
    kinOfKey[key] = kin.members > 0 || kin.group != Self.noGroup ? kin : nil
  }

  /// The group for a motion of this key, which is among its kin already: their own where they are many, else the mixed.
  ///
  /// The one that it was in last is tried first.
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

  /// Lets a group without rows change its key.
  ///
  /// So there are never more groups than had rows at the same time, however many coefficients come and go.
  private func takeIdleGroup(for key: SpringGroupKey) -> UInt32? {
    // A listed group may have got rows again; it is listed anew when it next empties.
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
