public import MotionModel

/// What streams take the time from: it says each frame to whoever listens.
///
/// Listen only while there is something to do: a clock without listeners may stand still.
public protocol FrameClock: AnyObject {
  /// The simulated time of the frame under way, or of the last one, in seconds. That may be long ago if nobody listened: what
  /// begins between frames begins with the next one's start, which is its time less its length.
  var time: Double { get }
  /// Hears each frame from the next one on.
  func subscribe(_ onFrame: @escaping (Frame) -> Void) -> Subscription
}

/// A clock that runs when it is told to: by a runtime, by an executor's updates, by a test.
public final class ManualFrameClock: FrameClock, Inspectable {
  /// `frames`
  public var inspected: String { "frames" }
  /// The last frame that was run.
  public private(set) var frame: Frame
  private let listeners = ObserverList<Frame>()

  /// A clock at the end of `frame`.
  public init(_ frame: Frame = Frame(number: 0, time: 0, dt: 0)) { self.frame = frame }

  /// The simulated time of the last frame, in seconds.
  public var time: Double { frame.time }
  /// Whether anybody listens, so that the next frame is wanted.
  public var isWanted: Bool { !listeners.isEmpty }

  /// Hears each frame from the next one on.
  public func subscribe(_ onFrame: @escaping (Frame) -> Void) -> Subscription {
    let receiver = listeners.add(MotionObserver(next: onFrame))
    return Subscription { [weak self] in self?.listeners.remove(receiver) }
  }

  /// Runs a frame: everybody who listens by now hears it, in order.
  public func run(_ frame: Frame) {
    self.frame = frame
    listeners.next(frame)
  }

  /// Runs the next frame, `dt` seconds after the last one.
  @discardableResult
  public func advance(by dt: Double) -> Frame {
    let next = Frame(number: frame.number + 1, time: frame.time + dt, dt: dt)
    run(next)
    return next
  }

  /// Sets the time without running a frame, for what happens between frames.
  public func set(_ frame: Frame) { self.frame = frame }
}
