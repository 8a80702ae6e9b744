import MotionTestKit
import Testing

@testable import MotionExecutors

struct SendScheduleTests {
  /// Something that happens at a time, and what is sent then.
  struct Row: Sendable {
    var time: Double
    /// The value from now on; no field leaves it as it is.
    var value: [Float]?? = .none
    var sent: [Float]? = nil
    var isWaiting = false
  }

  /// At most 10 a second: values are due 61/600 s = 0.101667 s apart, of which 1/60 s may have passed before.
  @Test(arguments: [
    // Nothing is sent without a value; the first goes at once, and once.
    [Row(time: 0), Row(time: 1, value: [1], sent: [1]), Row(time: 2), Row(time: 3, value: [1])],
    // What changes too early waits, and only the last of it goes.
    [
      Row(time: 0, value: [1], sent: [1]), Row(time: 0.01, value: [2], isWaiting: true),
      Row(time: 0.05, value: [3], isWaiting: true), Row(time: 0.0849, isWaiting: true), Row(time: 0.0851, sent: [3]),
      Row(time: 9),
    ],
    // Back at what was sent there is nothing to say.
    [Row(time: 0, value: [1], sent: [1]), Row(time: 0.01, value: [2], isWaiting: true), Row(time: 0.02, value: [1])],
    // What is gone is not sent, and is news only when it comes back as something else.
    [
      Row(time: 0, value: [1], sent: [1]), Row(time: 0.01, value: [2], isWaiting: true),
      Row(time: 0.02, value: [Float]?.none),
      Row(time: 1, value: [1]), Row(time: 2, value: [2], sent: [2]),
    ],
    // The third is due when it is due after the second was, although that was late by 0.01 s.
    [
      Row(time: 0, value: [1], sent: [1]), Row(time: 0.095, value: [2], sent: [2]),
      Row(time: 0.186, value: [3], isWaiting: true), Row(time: 0.187, sent: [3]),
    ],
    // A pause is not saved up for a burst.
    [
      Row(time: 0, value: [1], sent: [1]), Row(time: 5, value: [2], sent: [2]),
      Row(time: 5.0849, value: [3], isWaiting: true), Row(time: 5.0851, sent: [3]),
      Row(time: 5.18, value: [4], isWaiting: true), Row(time: 5.187, sent: [4]),
    ],
    // Another lane is another value.
    [Row(time: 0, value: [1, 2], sent: [1, 2]), Row(time: 1, value: [1, 3], sent: [1, 3])],
  ]) func `what is sent when`(rows: [Row]) {
    var schedule = SendSchedule(rate: 10)
    for row in rows {
      if let value = row.value { schedule.notice(value) }
      #expect(schedule.take(at: row.time) == row.sent, "at \(row.time)")
      #expect(schedule.isWaiting == row.isWaiting, "at \(row.time)")
    }
  }

  @Test(arguments: [1, 1.5, 10, 24, 60, 100, 120, 1000]) func `no second has more than the rate`(rate: Double) throws {
    let seed = SeededRandom.seed(of: "rate \(rate)")
    var random = SeededRandom(seed: seed)
    for framesPerSecond in [30.0, 60, 120, 1000] {
      var schedule = SendSchedule(rate: rate)
      var times: [Double] = []
      for frame in 1...Int(20 * framesPerSecond) {
        // Frames waver by up to a quarter of their distance.
        let waver = Double.random(in: -0.25...0.25, using: &random)
        let time = (Double(frame) + waver) / framesPerSecond
        schedule.notice([Float(frame)])
        if schedule.take(at: time) != nil { times.append(time) }
      }
      let most = Int(rate.rounded(.up))
      for (first, last) in zip(times, times.dropFirst(most)) {
        #expect(last - first >= 1 - 1e-9, "seed \(seed): \(most + 1) values from \(first) to \(last)")
      }
      // And the rate is used, or all frames are; frames slower than the credit lose some more.
      let possible = min(rate * 20, framesPerSecond * 20)
      let share = framesPerSecond < 60 ? 0.85 : 0.96
      #expect(Double(times.count) > share * possible, "seed \(seed): \(times.count) of \(possible)")
    }
  }

  @Test func `what fails is tried again, and not for ever`() {
    var schedule = SendSchedule(rate: 10)
    schedule.notice([1])
    for attempt in 1...SendSchedule.attempts {
      #expect(schedule.take(at: Double(attempt)) == [1])
      schedule.fail()
      #expect(schedule.isWaiting == (attempt < SendSchedule.attempts))
    }
    #expect(schedule.take(at: 100) == nil)
    // Another value has its own attempts.
    schedule.notice([2])
    #expect(schedule.take(at: 101) == [2])
    schedule.fail()
    #expect(schedule.take(at: 101.01) == nil, "trying again is bound to the rate")
    #expect(schedule.take(at: 102) == [2])
    #expect(!schedule.isWaiting)
  }

  @Test func `what failed does not stand for what the receiver has`() {
    var schedule = SendSchedule(rate: 10)
    schedule.notice([1])
    #expect(schedule.take(at: 0) == [1])
    schedule.notice([2])
    #expect(schedule.take(at: 1) == [2])
    schedule.fail()
    schedule.notice([2])
    #expect(schedule.isWaiting, "said again, it is still to be sent")
    schedule.notice([1])
    #expect(schedule.take(at: 2) == [1], "the receiver may have got the 2")
  }
}
