import Testing

@testable import MotionExecutors

struct SendScheduleTests {
  /// An event at a time, and the value that is sent then.
  struct Row: Sendable {
    var time: Double
    /// The value from now on; without it the value is unchanged.
    var value: Int?? = .none
    var sent: Int? = nil
    var isWaiting = false
  }

  /// At most 10 a second: values are due 0.1 s apart, of which 1/240 s may be missing.
  @Test(arguments: [
    // Nothing is sent without a value; the first is sent at once, and once.
    [Row(time: 0), Row(time: 1, value: 1, sent: 1), Row(time: 2), Row(time: 3, value: 1)],
    // A change that is too early waits, and only the last one is sent.
    [
      Row(time: 0, value: 1, sent: 1), Row(time: 0.01, value: 2, isWaiting: true),
      Row(time: 0.05, value: 3, isWaiting: true), Row(time: 0.095, isWaiting: true), Row(time: 0.096, sent: 3),
      Row(time: 9),
    ],
    // A return to the sent value leaves nothing to send.
    [Row(time: 0, value: 1, sent: 1), Row(time: 0.01, value: 2, isWaiting: true), Row(time: 0.02, value: 1)],
    // A removed value is not sent, and counts as new only when it returns with another value.
    [
      Row(time: 0, value: 1, sent: 1), Row(time: 0.01, value: 2, isWaiting: true), Row(time: 0.02, value: Int?.none),
      Row(time: 1, value: 1), Row(time: 2, value: 2, sent: 2),
    ],
    // The third is due one interval after the second was due, although the second was late by 0.03 s.
    [
      Row(time: 0, value: 1, sent: 1), Row(time: 0.13, value: 2, sent: 2),
      Row(time: 0.195, value: 3, isWaiting: true), Row(time: 0.2, sent: 3),
    ],
    // A pause does not allow a later burst.
    [
      Row(time: 0, value: 1, sent: 1), Row(time: 5, value: 2, sent: 2), Row(time: 5.09, value: 3, isWaiting: true),
      Row(time: 5.1, sent: 3), Row(time: 5.19, value: 4, isWaiting: true), Row(time: 5.2, sent: 4),
    ],
  ]) func `values are sent when they change and are due`(rows: [Row]) {
    var schedule = SendSchedule<Int>(rate: 10)
    for row in rows {
      if let value = row.value { schedule.notice(value) }
      let sent = schedule.time(at: row.time).flatMap { schedule.take(at: $0) }
      #expect(sent == row.sent, "at \(row.time)")
      #expect(schedule.isWaiting == row.isWaiting, "at \(row.time)")
    }
  }

  @Test func `repeats by the transport count once for the rate`() {
    var schedule = SendSchedule<Int>(rate: 1)
    schedule.notice(1)
    #expect(schedule.take(at: 0) == 1)
    schedule.notice(2)
    for _ in 1...3 { schedule.noticeRepeat(at: 5) }
    #expect(schedule.time(at: 5.5) == nil)
    #expect(schedule.time(at: 6) == 6)
  }
}
