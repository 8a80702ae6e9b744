extension SpringBank {
  /// So many rows are stepped and tested at a time.
  ///
  /// Their columns, 8 kB per lane, and their energies stay in the first cache meanwhile, and a motion that comes to
  /// rest costs a second look at its block only.
  static let block = 512

  /// Moves everything that moves by `dt` seconds.
  ///
  /// What comes to rest stands in ``arrivals`` afterwards.
  ///
  /// O(moving). Allocates nothing. dt may differ from step to step; a group computes its matrix anew when it does.
  ///
  /// - Precondition: `dt` is from 0 to ``LinearStep/longestStep``.
  public func step(dt: Double) {
    precondition(dt >= 0 && dt <= LinearStep.longestStep, "a step of \(dt) s")
    precondition(!isVisiting, "a bank was stepped from within forEachMoved")
    arrivals.removeAll(keepingCapacity: true)
    isJustStepped = true
    for index in 0..<groups.count {
      let group = groups.base + index
      guard group.pointee.count > 0 else { continue }
      if group.pointee.step.dt != dt {
        group.pointee.step = LinearStep(
          stiffness: group.pointee.key.stiffness, damping: group.pointee.key.damping, dt: dt)
      }
      if group.pointee.key.isDriven {
        drive(group)
      } else {
        advance(group)
      }
    }
  }

  /// Steps a group whose motions can come to rest, and lets them.
  ///
  /// Blocks are stepped from first to last, as memory likes it. Then those with arrivals are gone through from last to
  /// first, and so are their rows: the row that replaces a removed one has always been tested already.
  private func advance(_ group: UnsafeMutablePointer<SpringGroup>) {
    let lanes = Int(group.pointee.key.lanes)
    let step = group.pointee.step
    let rest = group.pointee.rest
    let count = group.pointee.count
    for start in stride(from: 0, to: count, by: Self.block) {
      let end = min(start + Self.block, count)
      let hasArrivals =
        if lanes == 1 {
          advanceLane(
            group.pointee.displacements(lane: 0) + start, group.pointee.velocities(lane: 0) + start,
            count: end - start, step, stiffness: rest.stiffness, bound: rest.bound)
        } else {
          advanceLanes(group.pointee, from: start, count: end - start)
        }
      if hasArrivals { blocksWithArrivals.append(start) }
    }
    while let start = blocksWithArrivals.popLast() {
      arrive(group, from: start, to: min(start + Self.block, group.pointee.count))
    }
  }

  /// Steps rows of several lanes, and tells whether any of them is at rest.
  private func advanceLanes(_ group: SpringGroup, from start: Int, count: Int) -> Bool {
    energies.initialize(repeating: 0, count: count)
    for lane in 0..<Int(group.key.lanes) {
      advanceLane(
        group.displacements(lane: lane) + start, group.velocities(lane: lane) + start, count: count, group.step,
        stiffness: group.rest.stiffness, addingEnergiesTo: energies)
    }
    return holdsAny(below: group.rest.bound, energies, count: count)
  }

  /// Takes the rows that are at rest out of a stepped block.
  private func arrive(_ group: UnsafeMutablePointer<SpringGroup>, from start: Int, to end: Int) {
    for row in (start..<end).reversed() where group.pointee.isAtRest(row: row) {
      let value = group.pointee.key.stiffness > 0 ? group.pointee.place(row: row) : group.pointee.state(row: row).value
      let index = group.pointee.rows[row].entry
      takeOutOfGroup(Int(index))
      let entry = entries.base + Int(index)
      entry.pointee.restingValue = value
      arrivals.append(
        Arrival(handle: Handle(index: index, generation: entry.pointee.generation), tag: entry.pointee.tag))
    }
  }

  /// Steps a group that a constant force drives for ever.
  private func drive(_ group: UnsafeMutablePointer<SpringGroup>) {
    for lane in 0..<Int(group.pointee.key.lanes) {
      driveLane(
        group.pointee.displacements(lane: lane), group.pointee.velocities(lane: lane),
        group.pointee.places(lane: lane), count: group.pointee.count, group.pointee.step)
    }
  }
}

extension SpringGroup {
  /// Whether a row is at rest: the same sum in the same order as the loops below.
  fileprivate func isAtRest(row: Int) -> Bool {
    var energy = 0.0
    for lane in 0..<Int(key.lanes) {
      energy += doubledEnergy(displacements(lane: lane)[row], velocities(lane: lane)[row], rest.stiffness)
    }
    return energy < rest.bound
  }
}

// MARK: - The loops

// Free functions over plain pointers, never inlined: in this form the compiler vectorises them, inlined into the
// methods above it does not, which is three times slower. No product is fused with a sum, so that the bits do not
// depend on the processor.

@inline(__always)
private func doubledEnergy(_ displacement: Double, _ velocity: Double, _ stiffness: Double) -> Double {
  velocity * velocity + stiffness * (displacement * displacement)
}

/// Steps one-lane rows and tests them for rest in the same pass.
@inline(never)
private func advanceLane(
  _ displacements: UnsafeMutablePointer<Double>, _ velocities: UnsafeMutablePointer<Double>, count: Int,
  _ step: LinearStep, stiffness: Double, bound: Double
) -> Bool {
  let (uu, uv) = (step.displacementToDisplacement, step.displacementToVelocity)
  let (vu, vv) = (step.velocityToDisplacement, step.velocityToVelocity)
  var hasArrivals = false
  for row in 0..<count {
    let (u, v) = (displacements[row], velocities[row])
    let nextU = uu * u + vu * v
    let nextV = uv * u + vv * v
    displacements[row] = nextU
    velocities[row] = nextV
    hasArrivals = doubledEnergy(nextU, nextV, stiffness) < bound || hasArrivals
  }
  return hasArrivals
}

/// Steps one lane of several and adds its energy to the rows'.
@inline(never)
private func advanceLane(
  _ displacements: UnsafeMutablePointer<Double>, _ velocities: UnsafeMutablePointer<Double>, count: Int,
  _ step: LinearStep, stiffness: Double, addingEnergiesTo energies: UnsafeMutablePointer<Double>
) {
  let (uu, uv) = (step.displacementToDisplacement, step.displacementToVelocity)
  let (vu, vv) = (step.velocityToDisplacement, step.velocityToVelocity)
  for row in 0..<count {
    let (u, v) = (displacements[row], velocities[row])
    let nextU = uu * u + vu * v
    let nextV = uv * u + vv * v
    displacements[row] = nextU
    velocities[row] = nextV
    energies[row] += doubledEnergy(nextU, nextV, stiffness)
  }
}

/// Whether any of the numbers is below the bound.
@inline(never)
private func holdsAny(below bound: Double, _ numbers: UnsafeMutablePointer<Double>, count: Int) -> Bool {
  var isFound = false
  for index in 0..<count {
    isFound = numbers[index] < bound || isFound
  }
  return isFound
}

/// Steps one lane under a constant acceleration.
@inline(never)
private func driveLane(
  _ values: UnsafeMutablePointer<Double>, _ velocities: UnsafeMutablePointer<Double>,
  _ accelerations: UnsafeMutablePointer<Double>, count: Int, _ step: LinearStep
) {
  let (vu, vv, au) = (step.velocityToDisplacement, step.velocityToVelocity, step.accelerationToValue)
  for row in 0..<count {
    let (v, acceleration) = (velocities[row], accelerations[row])
    values[row] += vu * v + au * acceleration
    let nextV = vv * v + vu * acceleration
    // A lane without force beside a driven one would fade into denormals, for nothing ends its motion.
    velocities[row] = nextV.magnitude < 1e-145 ? 0 : nextV
  }
}
