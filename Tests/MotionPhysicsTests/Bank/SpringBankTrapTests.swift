import MotionPhysics
import Testing

/// Calls that trap do so in a process of their own, and print the reason.
@Suite struct SpringBankTrapTests {
  @Test func aStaleHandleTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bank = SpringBank()
      let forces = ForceSum(spring: .default, anchor: .zero)
      let first = bank.insert(lanes: 1, forces: forces, value: .zero, velocity: .zero, threshold: 1, tag: 0)
      bank.remove(first)
      _ = bank.insert(lanes: 1, forces: forces, value: .zero, velocity: .zero, threshold: 1, tag: 1)
      _ = bank.value(of: first)
    }
    #expect(says(result, "stale handle"))
  }

  @Test func numbersThatAreNotFiniteTrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let forces = ForceSum(spring: .default, anchor: .zero)
      _ = SpringBank().insert(lanes: 1, forces: forces, value: [.nan, 0, 0, 0], velocity: .zero, threshold: 1, tag: 0)
    }
    #expect(says(result, "not finite"))
  }

  @Test func `visiting moved motions after a change traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bank = SpringBank()
      let forces = ForceSum(spring: .default, anchor: .zero)
      bank.step(dt: 0.01)
      _ = bank.insert(lanes: 1, forces: forces, value: .zero, velocity: .zero, threshold: 1, tag: 0)
      bank.forEachMoved { _, _, _ in }
    }
    #expect(says(result, "right after step"))
  }

  @Test func `changing a bank while it is visited traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bank = SpringBank()
      let forces = ForceSum(spring: .default, anchor: .zero)
      let handle = bank.insert(lanes: 1, forces: forces, value: [9, 0, 0, 0], velocity: .zero, threshold: 1, tag: 0)
      bank.step(dt: 0.01)
      bank.forEachMoved { _, _, _ in bank.remove(handle) }
    }
    #expect(says(result, "forEachMoved"))
  }

  /// A build without the texts of checks still traps; only one with them can be tested for the words.
  private func says(_ result: ExitTest.Result?, _ words: String) -> Bool {
    guard let result else { return false }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #if DEBUG
      return text.contains(words)
    #else
      return true
    #endif
  }
}
