import MotionTestKit
import Testing

@testable import MotionCoordinator

struct RepeatScheduleTests {
  @Test func `a topic is repeated 100 ms and 1 s after its last message, and then no more`() {
    var schedule = RepeatSchedule()
    schedule.said(0, at: .zero)
    #expect(schedule.nextDeadline == .milliseconds(100))
    #expect(schedule.takeDue(at: .milliseconds(99)) == nil)
    #expect(schedule.takeDue(at: .milliseconds(100)) == 0)
    #expect(schedule.takeDue(at: .milliseconds(100)) == nil)
    #expect(schedule.nextDeadline == .seconds(1))
    #expect(schedule.takeDue(at: .seconds(1)) == 0)
    #expect(schedule.nextDeadline == nil)
  }

  @Test func `a new message restarts the schedule of its topic, and a forgotten topic has none`() {
    var schedule = RepeatSchedule()
    schedule.said(0, at: .zero)
    schedule.said(1, at: .zero)
    _ = schedule.takeDue(at: .milliseconds(100))
    schedule.said(0, at: .milliseconds(150))
    schedule.forget(1)
    #expect(schedule.nextDeadline == .milliseconds(250))
    schedule.forget(0)
    schedule.forget(99)
    #expect(schedule.nextDeadline == nil)
  }

  /// Compared with a schedule that examines every topic each time.
  @Test func `a random course gives the results of a naive schedule`() {
    let seed = SeededRandom.seed(of: "RepeatScheduleTests")
    var random = SeededRandom(seed: seed)
    var schedule = RepeatSchedule()
    var naive: [Int: [Duration]] = [:]
    var now = Duration.zero
    for _ in 0..<5000 {
      now += .milliseconds(Int.random(in: 0..<60, using: &random))
      let topic = Int.random(in: 0..<20, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        schedule.said(topic, at: now)
        naive[topic] = RepeatSchedule.times.map { now + $0 }
      case 1:
        schedule.forget(topic)
        naive[topic] = nil
      default:
        var taken: [Int] = []
        while let due = schedule.takeDue(at: now) { taken.append(due) }
        var expected: [Int] = []
        for (topic, times) in naive {
          let left = times.filter { $0 > now }
          expected += [Int](repeating: topic, count: times.count - left.count)
          naive[topic] = left.isEmpty ? nil : left
        }
        #expect(taken.sorted() == expected.sorted(), "seed \(seed)")
      }
      #expect(schedule.nextDeadline == naive.values.compactMap(\.first).min(), "seed \(seed)")
    }
  }
}
