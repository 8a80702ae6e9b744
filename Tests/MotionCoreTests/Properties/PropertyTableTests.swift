import MotionModel
import MotionPhysics
import Testing

@testable import MotionCore

/// Slots, names and handles, and properties that a bank moves.
struct PropertyTableTests {
  private let reference = PropertyReference("ball", "position")

  @Test func `a property is found by name and by handle, and its slot is used again after the frame`() {
    var table = PropertyTable()
    table.begin(1)
    let slot = table.makeSlot(for: reference, lanes: 2)
    #expect(table.slot(of: table.handle(at: slot)) == slot)
    #expect(table.lanes(at: slot) == 2 && Array(table.changed) == [slot])
    let handle = table.handle(at: slot)
    table.remove(slot)
    #expect(!table.isOccupied(slot) && table.slot(of: handle) == nil && Array(table.changed).isEmpty)
    #expect(table.forgotten == [ForgottenProperty(handle: handle, reference: reference)])
    let second = table.makeSlot(for: reference, lanes: 1)
    #expect(second != slot && table.handle(at: second).rawValue == handle.rawValue + 1)
    table.end()
    table.begin(2)
    #expect(table.makeSlot(for: PropertyReference("box", "opacity"), lanes: 1) == slot)
    #expect(table.forgotten.isEmpty && table.count == 2)
  }

  @Test func `a bank moves properties of any number of lanes, and failed ones stay in place`() {
    var table = PropertyTable()
    let bank = SpringBank()
    table.begin(1)
    for lanes in 1...4 {
      let slot = table.makeSlot(for: PropertyReference("t", .init(stringLiteral: "p\(lanes)")), lanes: lanes)
      _ = bank.insert(
        lanes: lanes, forces: ForceSum(), value: SIMD4(1, 2, 3, 4), velocity: SIMD4(repeating: 1), threshold: 1e-9,
        tag: UInt32(slot))
    }
    let lost = table.makeSlot(for: reference, lanes: 1)
    _ = bank.insert(
      lanes: 1, forces: ForceSum(), value: SIMD4(1e308, 0, 0, 0), velocity: SIMD4(1e308, 0, 0, 0), threshold: 1e-9,
      tag: UInt32(lost))
    table.end()
    table.begin(2)
    bank.step(dt: 1)
    let expected = (1...4).map { Lanes(SIMD4(2, 3, 4, 5), count: $0) }
    table.follow(bank)
    #expect(table.takeOverflowed() == [lost] && table.overflowed.isEmpty)
    #expect((0..<4).map { table.state(at: $0).value } == expected && Array(table.changed) == [0, 1, 2, 3])
    #expect(table.value(at: lost) == .zero)
    // A property that is set to its present value has not changed.
    table.end()
    table.begin(3)
    table.set(0, value: table.value(at: 0), velocity: table.velocity(at: 0))
    #expect(Array(table.changed).isEmpty)
    table.set(0, value: .zero, velocity: .zero)
    #expect(Array(table.changed) == [0])
  }
}
