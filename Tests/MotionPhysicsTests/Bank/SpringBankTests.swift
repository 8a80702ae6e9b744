import Testing

@testable import MotionPhysics

@Suite struct SpringBankTests {
  static let spring = ForceSum(spring: .default, anchor: SIMD4(100))

  /// Steps until nothing moves; returns the arrivals' tags in order, and traps a test that never ends.
  private func run(_ bank: SpringBank, dt: Double = 1.0 / 120) -> [UInt32] {
    var tags: [UInt32] = []
    for _ in 0..<100_000 where bank.movingCount > 0 {
      bank.step(dt: dt)
      tags += bank.arrivals.map(\.tag)
    }
    #expect(bank.movingCount == 0)
    return tags
  }

  // Clauses: S9.11
  @Test func aSpringArrivesOnceAndExactly() {
    let bank = SpringBank()
    let handle = bank.insert(
      lanes: 1, forces: Self.spring, value: .zero, velocity: .zero, threshold: 1, tag: 7)
    #expect(bank.isMoving(handle))
    #expect(run(bank) == [7])
    #expect(!bank.isMoving(handle))
    #expect(bank.value(of: handle) == SIMD4(100))
    #expect(bank.velocity(of: handle) == .zero)
    bank.step(dt: 1)
    #expect(bank.arrivals.isEmpty)
    #expect(bank.value(of: handle) == SIMD4(100))
  }

  // Clauses: S9.11
  @Test func arrivalsSnapByLessThanATenthOfTheThreshold() {
    for (dampingRatio, threshold) in [(0.05, 1.0), (0.8, 0.01), (1, 1), (3, 1)] {
      let forces = ForceSum(frequency: 20, dampingRatio: dampingRatio, anchor: SIMD4(0.1, -7, 0, 0))
      let bank = SpringBank()
      let handle = bank.insert(
        lanes: 2, forces: forces, value: SIMD4(50, 3, 0, 0), velocity: SIMD4(0, 900, 0, 0), threshold: threshold,
        tag: 0)
      let step = LinearStep(forces: forces, dt: 1e-3)
      var state = (value: SIMD4<Double>(50, 3, 0, 0), velocity: SIMD4<Double>(0, 900, 0, 0))
      while bank.isMoving(handle) {
        bank.step(dt: 1e-3)
        state = step.advance(value: state.value, velocity: state.velocity, forces: forces)
      }
      #expect(bank.value(of: handle) == SIMD4(0.1, -7, 0, 0))
      #expect((state.value - bank.value(of: handle)).largestMagnitude <= threshold / 10)
      #expect((state.value - bank.value(of: handle)).largestMagnitude > 0)
    }
  }

  @Test func aMotionWithNoWayToGoArrivesInTheNextStep() {
    let bank = SpringBank()
    let handle = bank.insert(lanes: 1, forces: Self.spring, value: SIMD4(100), velocity: .zero, threshold: 1, tag: 3)
    bank.step(dt: 0.001)
    #expect(bank.arrivals == [SpringBank.Arrival(handle: handle, tag: 3)])
  }

  @Test func frictionComesToRestWhereItIs() {
    var forces = ForceSum()
    forces.add(frictionPerSecond: 4)
    let bank = SpringBank()
    let handle = bank.insert(
      lanes: 2, forces: forces, value: SIMD4(1, 2, 0, 0), velocity: SIMD4(40, 0, 0, 0), threshold: 0.01, tag: 1)
    #expect(run(bank) == [1])
    let value = bank.value(of: handle)
    #expect(value[0] < 11 && value[0] > 11 - 0.001)
    #expect(value[1] == 2)
    #expect(bank.velocity(of: handle) == .zero)
  }

  @Test func aConstantForceNeverRestsNorFadesIntoDenormals() {
    var forces = ForceSum()
    forces.add(acceleration: SIMD4(0, 10, 0, 0))
    forces.add(frictionPerSecond: 100)
    let bank = SpringBank()
    let handle = bank.insert(
      lanes: 2, forces: forces, value: .zero, velocity: SIMD4(1000, 0, 0, 0), threshold: 1, tag: 0)
    for _ in 0..<2000 {
      bank.step(dt: 0.01)
      #expect(!bank.velocity(of: handle)[0].isSubnormal)
    }
    #expect(bank.isMoving(handle))
    #expect(bank.velocity(of: handle)[0] == 0)
    #expect(abs(bank.velocity(of: handle)[1] - 0.1) < 1e-15)
    let expected: Double = 0.1 * 20 - 0.001
    #expect(abs(bank.value(of: handle)[1] - expected) < 1e-12)
  }

  // Clauses: S9.12
  @Test func numbersNeverBecomeDenormal() {
    let bank = SpringBank()
    for dampingRatio in [0.01, 0.5, 1, 10] {
      for threshold in [1, 1e-30, 1e-300] {
        let forces = ForceSum(frequency: 300, dampingRatio: dampingRatio)
        _ = bank.insert(lanes: 2, forces: forces, value: SIMD4(1), velocity: .zero, threshold: threshold, tag: 0)
      }
    }
    var worst = 0
    for _ in 0..<40_000 where bank.movingCount > 0 {
      bank.step(dt: 1.0 / 120)
      bank.forEachMoved { _, value, velocity in
        for lane in 0..<2 where value[lane].isSubnormal || velocity[lane].isSubnormal { worst += 1 }
      }
    }
    #expect(bank.movingCount == 0)
    #expect(worst == 0)
  }

  @Test func retargetKeepsValueAndVelocity() {
    let bank = SpringBank()
    let handle = bank.insert(lanes: 1, forces: Self.spring, value: .zero, velocity: .zero, threshold: 1, tag: 0)
    for _ in 0..<10 { bank.step(dt: 1.0 / 120) }
    let (value, velocity) = (bank.value(of: handle), bank.velocity(of: handle))
    bank.setForces(ForceSum(spring: .default, anchor: SIMD4(-50)), for: handle)
    #expect(abs(bank.value(of: handle)[0] - value[0]) < 1e-13)
    #expect(bank.velocity(of: handle) == velocity)
    bank.setForces(
      ForceSum(spring: SpringCoefficients(tension: 90, friction: 2), anchor: SIMD4(-50)), for: handle, threshold: 0.5)
    #expect(abs(bank.value(of: handle)[0] - value[0]) < 1e-13)
    #expect(bank.velocity(of: handle) == velocity)
    _ = run(bank)
    #expect(bank.value(of: handle) == SIMD4(-50))
  }

  // Clauses: S9.18
  @Test func `a change of forces or state starts a motion at rest`() {
    let bank = SpringBank()
    let handle = bank.insert(lanes: 1, forces: Self.spring, value: .zero, velocity: .zero, threshold: 1, tag: 5)
    #expect(run(bank) == [5])
    bank.setState(value: SIMD4(90), velocity: SIMD4(1), for: handle)
    #expect(bank.isMoving(handle))
    #expect(bank.value(of: handle) == SIMD4(90))
    #expect(bank.velocity(of: handle) == SIMD4(1))
    #expect(run(bank) == [5])
    #expect(bank.value(of: handle) == SIMD4(100))
    bank.setForces(Self.spring, for: handle)
    #expect(bank.isMoving(handle))
    #expect(run(bank) == [5])
    #expect(bank.value(of: handle) == SIMD4(100))
  }

  @Test func lanesBeyondTheValuesAreIgnoredAndReadAsZero() {
    let bank = SpringBank()
    let forces = ForceSum(spring: .default, anchor: SIMD4(1, 2, 3, 4))
    for lanes in 1...4 {
      let handle = bank.insert(
        lanes: lanes, forces: forces, value: SIMD4(9, 9, 9, 9), velocity: SIMD4(1, 1, 1, 1), threshold: 1, tag: 0)
      for lane in 0..<4 {
        #expect(bank.value(of: handle)[lane] == (lane < lanes ? 9 : 0))
        #expect(bank.velocity(of: handle)[lane] == (lane < lanes ? 1 : 0))
      }
      _ = run(bank)
      for lane in 0..<4 { #expect(bank.value(of: handle)[lane] == (lane < lanes ? Double(lane + 1) : 0)) }
    }
    var sideways = ForceSum()
    sideways.add(acceleration: SIMD4(0, 1, 0, 0))
    let still = bank.insert(lanes: 1, forces: sideways, value: .zero, velocity: .zero, threshold: 1, tag: 0)
    bank.step(dt: 1)
    #expect(!bank.isMoving(still), "a force in a lane that is not there must not keep a motion awake")
  }

  @Test func `counts of motions are kept`() {
    let bank = SpringBank()
    let handles = (0..<10).map {
      bank.insert(lanes: 1, forces: Self.spring, value: .zero, velocity: .zero, threshold: 1, tag: UInt32($0))
    }
    #expect(bank.count == 10 && bank.movingCount == 10)
    bank.remove(handles[3])
    #expect(bank.count == 9 && bank.movingCount == 9)
    #expect(!bank.contains(handles[3]) && bank.contains(handles[4]))
    _ = run(bank)
    #expect(bank.count == 9 && bank.movingCount == 0)
    bank.remove(handles[4])
    #expect(bank.count == 8 && bank.movingCount == 0)
  }

  /// The runtime visits this to publish: every moved motion, once, and no other.
  @Test func `each moved motion is visited once, also those that arrive`() {
    let bank = SpringBank()
    var handles: [SpringBank.Handle] = []
    for index in 0..<2000 {
      let forces = ForceSum(frequency: 10 + Double(index % 3), dampingRatio: 1, anchor: SIMD4(1, 1, 1, 1))
      handles.append(
        bank.insert(
          lanes: 1 + index % 4, forces: forces, value: SIMD4(Double(index), 2, 3, 4), velocity: .zero, threshold: 1,
          tag: UInt32(index)))
    }
    var moving = Set(0..<UInt32(2000))
    while bank.movingCount > 0 {
      bank.step(dt: 1.0 / 60)
      var seen: [UInt32] = []
      bank.forEachMoved { tag, value, velocity in
        seen.append(tag)
        #expect(value == bank.value(of: handles[Int(tag)]))
        #expect(velocity == bank.velocity(of: handles[Int(tag)]))
      }
      #expect(seen.count == moving.count && Set(seen) == moving)
      moving.subtract(bank.arrivals.map(\.tag))
      #expect(moving.count == bank.movingCount)
    }
    bank.step(dt: 1)
    bank.forEachMoved { _, _, _ in Issue.record("nothing moved") }
  }

  /// A million coefficients in turn on a few motions must not leave a million groups behind.
  @Test func `groups are reused`() {
    let bank = SpringBank()
    let handle = bank.insert(lanes: 1, forces: Self.spring, value: .zero, velocity: .zero, threshold: 1, tag: 0)
    let other = bank.insert(lanes: 3, forces: Self.spring, value: .zero, velocity: .zero, threshold: 1, tag: 1)
    for index in 0..<100_000 {
      let spring = SpringCoefficients(tension: 1 + Double(index), friction: 30)
      bank.setForces(ForceSum(spring: spring, anchor: SIMD4(100)), for: index % 2 == 0 ? handle : other)
    }
    #expect(bank.groupCount <= 3)
    #expect(Set(run(bank)) == [0, 1])
  }

  /// Steps of different lengths lead to the states of the law.
  @Test func `dt may change between steps`() {
    let bank = SpringBank()
    let handle = bank.insert(lanes: 1, forces: Self.spring, value: .zero, velocity: .zero, threshold: 1e-6, tag: 0)
    for dt in [0.01, 0.002, 0.002, 0.05, 0, 0.036] { bank.step(dt: dt) }
    let exact = LinearStep(forces: Self.spring, dt: 0.1).advance(value: .zero, velocity: .zero, forces: Self.spring)
    #expect(abs(bank.value(of: handle)[0] - exact.value[0]) < 1e-12)
    #expect(abs(bank.velocity(of: handle)[0] - exact.velocity[0]) < 1e-10)
  }
}
