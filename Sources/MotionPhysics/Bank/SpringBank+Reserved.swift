/// Motions whose entries are created before they begin, so that many can begin together in little time.
extension SpringBank {
  /// The shared state of motions that begin one after the other: as a rule they have one key.
  package struct Beginning {
    fileprivate var key: SpringGroupKey?
    fileprivate var group = SpringBank.noGroup
    /// The number of motions that have begun and that are not yet counted under their key.
    fileprivate var members = 0
    /// The number of motions that are still to begin.
    fileprivate var expected: Int

    /// Creates the state for this many motions, none of which has begun.
    package init(of count: Int) { expected = count }
  }

  /// Reserves an entry for a motion. Until ``begin(_:value:velocity:in:)`` the motion is not in the bank, costs nothing
  /// in a step, and is not counted.
  ///
  /// O(1) amortised.
  package func reserve(lanes: Int, forces: ForceSum, threshold: Double, tag: UInt32) -> Handle {
    precondition((1...4).contains(lanes), "a motion of \(lanes) lanes")
    let law = Self.law(forces, lanes: lanes, threshold: threshold)
    let index = takeFreeEntry(tag: tag)
    let entry = entries.base + Int(index)
    (entry.pointee.key, entry.pointee.row, entry.pointee.restingValue) = (law.key, Self.reserved, law.place)
    return Handle(index: index, generation: entry.pointee.generation)
  }

  /// Releases a reserved entry.
  package func release(_ handle: Handle) {
    let index = reservedEntry(handle)
    free(index)
  }

  /// Begins a motion that has a reserved entry. The result has the same bits as a call of
  /// ``insert(lanes:forces:value:velocity:threshold:tag:)``, and takes a sixth of the time among others of its key.
  ///
  /// - Parameter beginning: the shared state of the motions that began before it; ``end(_:)`` must follow the last.
  package func begin(
    _ handle: Handle, value: SIMD4<Double>, velocity: SIMD4<Double>, in beginning: inout Beginning
  ) {
    isJustStepped = false
    let index = reservedEntry(handle)
    Self.check(value: value, velocity: velocity)
    let entry = entries.base + index
    let (key, place) = (entry.pointee.key, entry.pointee.restingValue)
    if key == beginning.key {
      beginning.members += 1
    } else {
      end(beginning)
      kinOfKey[key, default: SpringKin()].members += 1
      let group = self.group(of: key, hint: entry.pointee.group)
      beginning = Beginning(of: beginning.expected)
      beginning.group = group
      // While a key has few motions, each must be checked, because one of them makes them many.
      if !groups.base[Int(group)].isMixed {
        beginning.key = key
        groups.base[Int(group)].reserve(groups.base[Int(group)].count + beginning.expected)
      }
    }
    beginning.expected -= 1
    let group = groups.base + Int(beginning.group)
    let row = group.pointee.append(SpringRow(entry: UInt32(index), tag: entry.pointee.tag), key)
    group.pointee.setState(row: row, value: value, velocity: velocity, place: place)
    (entry.pointee.group, entry.pointee.row) = (beginning.group, UInt32(row))
    movingCount += 1
    count += 1
  }

  /// Adds the motions that have begun to the count of their key.
  package func end(_ beginning: Beginning) {
    guard let key = beginning.key, beginning.members > 0 else { return }
    kinOfKey[key]?.members += beginning.members
  }

  private func reservedEntry(_ handle: Handle) -> Int {
    let index = entry(handle)
    precondition(entries.base[index].row == Self.reserved, "motion \(index) has begun already")
    return index
  }
}
