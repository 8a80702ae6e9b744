import MotionModel

extension MotionObservable {
  /// Each value later: with the first frame that ends so long after the frame in which it came.
  ///
  ///     values        1-23---
  ///     delay(by: 2)  --1-23-
  ///
  /// State channel: passed on at once. Memory: the values under way, of the subscription; unsubscribing forgets them.
  /// Listens to frames only while any is. Of more than ``longestDelayQueue`` the oldest is said early.
  public func delay(by duration: Duration, _ clock: any FrameClock) -> MotionObservable<Value> {
    let seconds = duration / .seconds(1)
    return MotionObservable(metadata.with("delay(by:)", args: ["\(seconds)s"])) { [self] observer in
      let queue = DelayQueue(clock, seconds, observer.next)
      let disconnect = connect(MotionObserver(next: queue.add, state: observer.state))
      return {
        disconnect()
        queue.cancel()
      }
    }
  }
}

/// How many values of a subscription may be under way in `delay(by:_:)`: a thousand a second, for more than a minute.
public let longestDelayQueue = 65_536

/// Values on their way.
private final class DelayQueue<Value> {
  private let clock: any FrameClock
  private let seconds: Double
  private let next: (Value) -> Void
  /// The values, in order. When those are due that came before the first frame is known with that: until a value asked for
  /// frames the clock may have stood.
  private var values: [(due: Double?, value: Value)] = []
  private var frames: Subscription?
  /// The clock's time when frames were asked for. Another one is that of the frame in which a value comes, or of the start
  /// of the next.
  private var oldTime = 0.0

  init(_ clock: any FrameClock, _ seconds: Double, _ next: @escaping (Value) -> Void) {
    self.clock = clock
    self.seconds = seconds
    self.next = next
  }

  func add(_ value: Value) {
    guard seconds > 0 else { return next(value) }
    if values.count >= longestDelayQueue { next(values.removeFirst().value) }
    if frames == nil {
      oldTime = clock.time
      frames = clock.subscribe { [weak self] in self?.deliver($0) }
    }
    values.append((clock.time == oldTime ? nil : clock.time + seconds, value))
  }

  func cancel() {
    values = []
    frames?.unsubscribe()
  }

  private func deliver(_ frame: Frame) {
    for index in values.indices {
      guard values[index].due == nil else { break }
      values[index].due = frame.time - frame.dt + seconds
    }
    // Sums of times are rounded; a value is not to wait another frame for the last digit.
    while let first = values.first, let due = first.due, due <= frame.time + 1e-9 {
      values.removeFirst()
      next(first.value)
    }
    if values.isEmpty {
      let last = frames
      frames = nil
      last?.unsubscribe()
    }
  }
}
