/// Motions whose entries are made before they begin, so that many can begin at once in little time.
extension SpringBank {
  /// What those that begin one behind the other have in common: as a rule they are of one key.
  package struct Beginning {
    fileprivate var key: SpringGroupKey?
    fileprivate var group = SpringBank.noGroup
    /// How many of the key have begun that its kin does not know of yet.
    fileprivate var members = 0
    /// How many are still to begin.
    fileprivate var expected: Int

    /// Nothing has begun of so many.
    package init(of count: Int) { expected = count }
  }

  /// Reserves an entry for a motion: it is not in the bank until ``begin(_:value:velocity:in:)``, costs steps nothing,
  /// and is counted nowhere.
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

  /// Gives a reserved entry up.
  package func release(_ handle: Handle) {
    let index = reservedEntry(handle)
    free(index)
  }

  /// A motion begins that has a reserved entry: what ``insert(lanes:forces:value:velocity:threshold:tag:)`` would do
  /// now, to the same bits, in a sixth of the time among others of its key.
  ///
  /// - Parameter beginning: what those that began before it have in common; ``end(_:)`` has to follow the last.
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
      // Of few of a kind each has to be asked for, because with one of them they become many.
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

  /// Notes what has begun.
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
