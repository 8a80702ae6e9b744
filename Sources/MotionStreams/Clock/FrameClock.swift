public import MotionModel

/// The source of time for streams: it sends each frame to its subscribers.
///
/// Subscribe only while there is work to do: a clock without subscribers may stand still.
public protocol FrameClock: AnyObject {
  /// The simulated time of the current frame, or of the last one, in seconds. It may be long ago if the clock had no
  /// subscribers. A movement that begins between frames begins with the next frame's start, which is that frame's time
  /// less its length.
  var time: Double { get }
  /// Calls `onFrame` for each frame from the next one on.
  func subscribe(_ onFrame: @escaping (Frame) -> Void) -> Subscription
}

/// A clock that runs by explicit calls: of a runtime, of an executor's updates, of a test.
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
  /// Whether the clock has subscribers, so that the next frame is needed.
  public var isWanted: Bool { !listeners.isEmpty }

  /// Calls `onFrame` for each frame from the next one on.
  public func subscribe(_ onFrame: @escaping (Frame) -> Void) -> Subscription {
    let receiver = listeners.add(MotionObserver(next: onFrame))
    return Subscription { [weak self] in self?.listeners.remove(receiver) }
  }

  /// Runs a frame: sends it to every present subscriber, in order.
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

  /// Sets the time without running a frame, for events between frames.
  public func set(_ frame: Frame) { self.frame = frame }
}
