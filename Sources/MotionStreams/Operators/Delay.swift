import MotionModel

extension MotionObservable {
  /// Each value, delayed: emitted with the first frame that ends this long after the frame in which the value arrived.
  ///
  ///     values        1-23---
  ///     delay(by: 2)  --1-23-
  ///
  /// State channel: passed on at once. Memory: the delayed values, per subscription; unsubscribing discards them. It
  /// subscribes to frames only while values wait. Beyond ``longestDelayQueue`` values the oldest is emitted early.
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

/// The most delayed values of a subscription in `delay(by:_:)`: a thousand a second, for more than a minute.
public let longestDelayQueue = 65_536

/// The queue of delayed values.
private final class DelayQueue<Value> {
  private let clock: any FrameClock
  private let seconds: Double
  private let next: (Value) -> Void
  /// The values, in order. The due time of values that arrived before the first frame is set in that frame: before
  /// frames were requested the clock may have stood.
  private var values: [(due: Double?, value: Value)] = []
  private var frames: Subscription?
  /// The clock's time when frames were requested. A different time is that of the frame in which a value arrives, or of
  /// the start of the next.
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
    // Sums of times are rounded; a rounding error must not delay a value by another frame.
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
