/// Paces what is sent in frames: the most in any second, and the average.
///
/// Sending happens in frames, which never coincide with the due time. So the delay of one send is credited to the next,
/// which is due as if the one before had been on time. Otherwise a rate near the frame rate would lose every other
/// frame. The credit never adds up to a burst: of any `rate` + 1 consecutive sends, the last comes at least a second
/// after the first.
///
/// Frames also jitter. A frame that is early by up to ``earliness`` counts as on time, and the send then bears the time
/// at which it would be due. So the rate holds exactly by these times, which are counted, and by arrival times
/// within the jitter of frames.
struct FramePacing {
  /// The most by which a frame is early, in seconds, on a machine without overload: a quarter of the frame interval at
  /// 60 a second. It is no more, because the time that a send bears is that much ahead.
  static let longestEarliness = 1.0 / 240

  /// The average interval in seconds.
  private let interval: Double
  /// The most by which the present may be earlier than the time that a send bears, in seconds: half an interval at
  /// most.
  private let earliness: Double
  /// The times of the last sends, as many as may fall into a second; the oldest is replaced next.
  private var times: [Double] = []
  private var oldest = 0
  private let mostTimes: Int
  /// The least time between the first and the last of one more than these, in seconds.
  private let span: Double
  /// The time at which the next send is due, in seconds.
  private var due = -Double.infinity

  /// At most `rate` a second; for a fraction, such as 1.5, two in any 4/3 s.
  init(perSecond rate: Double) {
    precondition(rate > 0, "a rate of \(rate) a second")
    interval = 1 / rate
    earliness = min(Self.longestEarliness, interval / 2)
    mostTimes = Int(rate.rounded(.up))
    span = Double(mostTimes) / rate
  }

  /// The time that a send at `now` may bear, at most a little later; `nil` if it is too soon.
  func time(at now: Double) -> Double? {
    guard now >= due - earliness else { return nil }
    let time = times.count < mostTimes ? now : max(now, times[oldest] + span)
    return time <= now + earliness ? time : nil
  }

  /// Records a send and the time that it bears, which is not before an earlier one.
  mutating func use(_ time: Double) {
    // A sender that is late by more than an interval did not wait for a frame: a pause gives no credit.
    due = (time - due < interval ? due : time) + interval
    if times.count < mostTimes {
      times.append(time)
    } else {
      times[oldest] = time
      oldest = (oldest + 1) % mostTimes
    }
  }
}
