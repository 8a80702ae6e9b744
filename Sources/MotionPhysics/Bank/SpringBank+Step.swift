import CSprings

extension SpringBank {
  /// The number of rows that are stepped and tested together.
  ///
  /// Their columns, 8 kB per lane, stay in the first cache meanwhile. A motion that is near its rest causes tests of
  /// its block only.
  static let block = 512

  /// Advances all moving motions by `dt` seconds.
  ///
  /// Motions that come to rest are in ``arrivals`` afterwards.
  ///
  /// O(moving). Allocates nothing. dt may differ from step to step. A change of dt recomputes the matrices, which takes
  /// some 100 ns for each group and each spring with coefficients of its own.
  ///
  /// - Precondition: `dt` is from 0 to ``LinearStep/longestStep``.
  public func step(dt: Double) {
    precondition(dt >= 0 && dt <= LinearStep.longestStep, "a step of \(dt) s")
    precondition(!isVisiting, "a bank was stepped from within forEachMoved")
    if !arrivals.isEmpty { arrivals.removeAll(keepingCapacity: true) }
    isJustStepped = true
    for index in 0..<groups.count {
      let group = groups.base + index
      guard group.pointee.count > 0 else { continue }
      if group.pointee.dt != dt { group.pointee.prepare(dt: dt) }
      if group.pointee.key.isDriven {
        group.pointee.drive()
      } else {
        advance(group)
      }
    }
  }

  /// Steps a group whose motions can come to rest, and takes out those that do.
  ///
  /// Blocks are stepped from first to last, in memory order. Then blocks with arrivals are processed from last to
  /// first, and so are their rows: the row that replaces a removed one has always been tested already, or needed no
  /// test.
  private func advance(_ group: UnsafeMutablePointer<SpringGroup>) {
    // A copy, so that its pointers stay in registers.
    let stepped = group.pointee
    for start in stride(from: 0, to: stepped.count, by: Self.block) {
      let count = min(Self.block, stepped.count - start)
      stepped.advance(from: start, count: count)
      if stepped.hasArrivals(from: start, count: count) { blocksWithArrivals.append(start) }
    }
    while let start = blocksWithArrivals.popLast() {
      arrive(group, from: start, to: min(start + Self.block, group.pointee.count))
    }
  }

  /// Removes the rows that are at rest from a stepped block.
  private func arrive(_ group: UnsafeMutablePointer<SpringGroup>, from start: Int, to end: Int) {
    // A copy again: the tested rows stay in their place.
    let stepped = group.pointee
    for row in (start..<end).reversed() where stepped.isAtRest(row: row) {
      let value = group.pointee.hasPlaces ? group.pointee.place(row: row) : group.pointee.state(row: row).value
      let index = group.pointee.rows[row].entry
      takeOutOfGroup(Int(index))
      let entry = entries.base + Int(index)
      entry.pointee.restingValue = value
      arrivals.append(
        Arrival(handle: Handle(index: index, generation: entry.pointee.generation), tag: entry.pointee.tag))
    }
  }
}

extension SpringGroup {
  /// Steps a block.
  fileprivate func advance(from start: Int, count: Int) {
    for lane in 0..<lanes {
      let (displacements, velocities) = (displacements(lane: lane) + start, velocities(lane: lane) + start)
      if isMixed {
        springs_step_own(displacements, velocities, count, own(.displacementToDisplacement) + start, stride)
      } else {
        springs_step(
          displacements, velocities, count, step.displacementToDisplacement, step.velocityToDisplacement,
          step.displacementToVelocity, step.velocityToVelocity)
      }
    }
  }

  /// Returns whether any motion of a stepped block is at rest.
  ///
  /// If none can be at rest within the next steps, ``RestCriterion/quietSteps`` or ``RestCriterion/manyQuietSteps``,
  /// those steps are not tested.
  fileprivate func hasArrivals(from start: Int, count: Int) -> Bool {
    let quiet = quietSteps + start / SpringBank.block
    if quiet.pointee > 0 {
      quiet.pointee -= 1
      return false
    }
    let (displacements, velocities) = (displacements(lane: 0) + start, velocities(lane: 0) + start)
    func leastMargin(_ bound: OwnLaw) -> Double {
      springs_least_margin(
        displacements, velocities, stride, lanes, count, own(.stiffness) + start, own(bound) + start)
    }
    if isMixed {
      if leastMargin(.nearBound) < 0 { return leastMargin(.bound) < 0 }
    } else {
      let energy = springs_least_energy(displacements, velocities, stride, lanes, count, rest.stiffness)
      // An energy that overflowed counts as near if the bound is infinite.
      let least = min(energy, .greatestFiniteMagnitude)
      if least < nearBound { return energy < rest.bound }
      if least >= farBound {
        quiet.pointee = RestCriterion.manyQuietSteps
        return false
      }
    }
    quiet.pointee = RestCriterion.quietSteps
    return false
  }

  /// Returns whether a row is at rest, from the same sum in the same order as in the loops.
  fileprivate func isAtRest(row: Int) -> Bool {
    let stiffness = isMixed ? own(.stiffness)[row] : rest.stiffness
    var energy = 0.0
    for lane in 0..<lanes {
      let (displacement, velocity) = (displacements(lane: lane)[row], velocities(lane: lane)[row])
      energy += velocity * velocity + stiffness * (displacement * displacement)
    }
    return energy < (isMixed ? own(.bound)[row] : rest.bound)
  }

  /// Steps motions that a constant force drives without end.
  fileprivate func drive() {
    for lane in 0..<lanes {
      springs_drive(
        displacements(lane: lane), velocities(lane: lane), places(lane: lane), count, step.velocityToDisplacement,
        step.velocityToVelocity, step.accelerationToValue)
    }
  }
}
