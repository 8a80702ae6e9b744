/// How often something may be sent: at most so many times in any second, and so many on average.
///
/// What is sent goes with frames, and frames are never there when it is due. So the time by which one is late is owed to
/// the next, which is due when it would have been; else every other frame would be lost at a rate near theirs. What is
/// owed never adds up to a burst: of any `rate` + 1 that follow each other, the last comes a second after the first.
///
/// Frames waver, too. One that is early by up to ``earliness`` counts as punctual, and what is sent then bears the time
/// at which it would be right. So the rate holds exactly by these times, by which it is kept, and by arrivals up to what
/// frames waver.
struct RateLimit {
  /// By how much a frame is early at most, in seconds, on a machine that has time for it: a quarter of the distance of
  /// frames at 60 a second. No more, because the time that it bears is that much ahead.
  static let longestEarliness = 1.0 / 240

  /// The seconds from one to the next, on average.
  private let interval: Double
  /// By how much the present may be earlier than the time that something bears, in seconds: half an interval at most.
  private let earliness: Double
  /// The times that the last ones bear, as many as may fall into a second; the oldest is the next to be replaced.
  private var times: [Double] = []
  private var oldest = 0
  private let mostTimes: Int
  /// How far apart the first and the last of one more than these have to be, in seconds.
  private let span: Double
  /// When the next is due, in seconds.
  private var due = -Double.infinity

  /// At most `rate` a second; of a fraction, such as 1.5, two in any 4/3 s.
  init(perSecond rate: Double) {
    precondition(rate > 0, "a rate of \(rate) a second")
    interval = 1 / rate
    earliness = min(Self.longestEarliness, interval / 2)
    mostTimes = Int(rate.rounded(.up))
    span = Double(mostTimes) / rate
  }

  /// The time that may be borne by what is sent at the time `now`, at most a little later; `nil` if it is too soon.
  func time(at now: Double) -> Double? {
    guard now >= due - earliness else { return nil }
    let time = times.count < mostTimes ? now : max(now, times[oldest] + span)
    return time <= now + earliness ? time : nil
  }

  /// Takes note that something was sent that bears a time, which is not before an earlier one.
  mutating func use(_ time: Double) {
    // Who is late by more than an interval did not wait for a frame: nothing is owed for a pause.
    due = (time - due < interval ? due : time) + interval
    if times.count < mostTimes {
      times.append(time)
    } else {
      times[oldest] = time
      oldest = (oldest + 1) % mostTimes
    }
  }
}
