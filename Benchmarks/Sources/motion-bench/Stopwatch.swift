import Glibc

/// Measures how long something takes, beside something else: in turns, so that both see the same machine.
struct Stopwatch {
  /// How long one turn lasts at least, in seconds.
  let turn: Double
  /// How many turns each side has.
  let turns: Int
  /// The processor's time of this thread, in which other processes do not count; or, where other threads share the
  /// work, the time on the wall.
  private let clock: clockid_t

  /// Turns of an eighth of a second, nine for each side: a second and a bit; or a single short one.
  init(quick: Bool, onTheWall: Bool = false) {
    (turn, turns) = quick ? (0.001, 1) : (0.125, 9)
    clock = onTheWall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID
  }

  /// The median time of one call of each, in seconds.
  func compare(_ subject: () -> Void, with reference: () -> Void) -> (subject: Double, reference: Double) {
    let (subjectCalls, referenceCalls) = (calls(of: subject), calls(of: reference))
    var times: (subject: [Double], reference: [Double]) = ([], [])
    for _ in 0..<turns {
      times.subject.append(time(subjectCalls, subject))
      times.reference.append(time(referenceCalls, reference))
    }
    return (Self.median(times.subject), Self.median(times.reference))
  }

  /// How many calls fill a turn.
  private func calls(of body: () -> Void) -> Int {
    var count = 1
    while true {
      let elapsed = time(count, body) * Double(count)
      if elapsed >= turn { return count }
      count = max(count + 1, elapsed > 0 ? Int(Double(count) * min(8, 1.2 * turn / elapsed)) : count * 8)
    }
  }

  /// The mean time of one of so many calls.
  private func time(_ count: Int, _ body: () -> Void) -> Double {
    let start = now()
    for _ in 0..<count { body() }
    return (now() - start) / Double(count)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
