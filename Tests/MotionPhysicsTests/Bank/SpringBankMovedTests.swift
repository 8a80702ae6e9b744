import Testing

@testable import MotionPhysics

/// The two ways to visit the motions that a step moved: motion by motion, and group by group.
struct SpringBankMovedTests {
  private struct Seen: Equatable {
    var tag: UInt32
    var value: SIMD4<Double>
    var velocity: SIMD4<Double>
  }

  @Test func `moved groups contain the moved motions in order, after the arrivals`() {
    let bank = SpringBank()
    for tag in 0..<200 as Range<UInt32> {
      let forces: ForceSum
      switch tag % 3 {
      case 0: forces = ForceSum()
      case 1: forces = spring(stiffness: 300, damping: 20)
      default: forces = spring(stiffness: Double(200 + tag), damping: 30)
      }
      let velocity = tag % 3 == 0 ? SIMD4<Double>(repeating: 1) : .zero
      _ = bank.insert(
        lanes: 1 + Int(tag % 4), forces: forces, value: SIMD4(1, 2, 3, Double(tag)), velocity: velocity,
        threshold: 0.01, tag: tag)
    }
    var arrived = 0
    for _ in 0..<400 {
      bank.step(dt: 0.01)
      var (all, grouped) = ([Seen](), [Seen]())
      bank.forEachMoved { all.append(Seen(tag: $0, value: $1, velocity: $2)) }
      bank.forEachArrival { grouped.append(Seen(tag: $0, value: $1, velocity: .zero)) }
      arrived += grouped.count
      bank.forEachMovedGroup { group in
        for row in 0..<group.count {
          var seen = Seen(tag: group.tag(row), value: .zero, velocity: .zero)
          for lane in 0..<group.lanes {
            seen.value[lane] = group.value(row, lane: lane)
            seen.velocity[lane] = group.velocity(row, lane: lane)
          }
          grouped.append(seen)
        }
      }
      #expect(all == grouped)
    }
    #expect(arrived > 100)
  }

  private func spring(stiffness: Double, damping: Double) -> ForceSum {
    ForceSum(spring: SpringCoefficients(tension: stiffness, friction: damping, mass: 1), anchor: .zero)
  }
}
