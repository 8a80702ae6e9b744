import MotionCore
import MotionExecutors
import MotionModel
import MotionStreams

// The code that docs/embedding.md shows: its blocks are the parts of this file between the marks, in this order.

// guide begins
/// Sends the ball to the right and back again in flight; returns its velocity before and after.
func turn(_ runtime: Runtime) throws -> (before: Lanes, after: Lanes)? {
  var there = Transaction()
  there.add(.springTo("position", [100, 0]), to: "ball")
  try runtime.commit(there)
  for _ in 1...10 { runtime.advance() }
  let before = runtime.state(of: "position", on: "ball")

  var back = Transaction()
  back.add(.springTo("position", [0, 0]), to: "ball")
  try runtime.commit(back)
  runtime.advance()
  let after = runtime.state(of: "position", on: "ball")
  guard let before, let after else { return nil }
  return (before.velocity, after.velocity)
}
// guide ends

// guide begins
/// Lets a cue lead the head over its ambient motion, and gives it back; returns the angle with and without the cue.
func lead(_ runtime: Runtime) throws -> [Lanes?] {
  var transaction = Transaction()
  transaction.add(.anchoredSpring("angle", 1), named: "cue", to: "head")
  // It is added later, and waits.
  transaction.add(.anchoredSpring("angle", -1).priority(-10), named: "idle", to: "head")
  try runtime.commit(transaction)
  runtime.advanceUntilRest()
  let led = runtime.state(of: "angle", on: "head")

  var back = Transaction()
  back.remove(named: "cue", from: "head")
  try runtime.commit(back)
  runtime.advanceUntilRest()
  return [led?.value, runtime.state(of: "angle", on: "head")?.value]
}
// guide ends

// guide begins
/// Springs the targets with these names to these heights; the names come from a file, say, and so may break the rule.
func raise(_ heights: [String: Double], in runtime: Runtime) throws {
  var transaction = Transaction()
  for (name, height) in heights.sorted(by: { $0.key < $1.key }) {
    transaction.add(.springTo("height", Lanes(height)), to: try TargetName(name))
  }
  try runtime.commit(transaction)
}
// guide ends

// guide begins
/// Commits, or returns which operation is refused and why.
func complaint(about transaction: Transaction, in runtime: Runtime) -> String? {
  do {
    try runtime.commit(transaction)
    return nil
  } catch {
    return "operation \(error.operation ?? 0), \(error.field ?? "no field"): \(error.message) \(error.remedy)"
  }
}
// guide ends

// guide begins
/// A runtime that also has executors for tweens and hands.
func furnished() throws -> Runtime {
  var registry = ExecutorRegistry()
  try registry.register(ExecutorDeclaration(TweenExecutor.self))
  try registry.register(ExecutorDeclaration(GestureExecutor.self))
  return Runtime(registry: registry, ratePerSecond: 60)
}
// guide ends

// guide begins
/// Lets a finger drag the ball 100 to the right, a frame at a time.
func drag(_ runtime: Runtime) throws {
  var transaction = Transaction()
  transaction.add(.draggable(), to: "ball")
  try runtime.commit(transaction)
  runtime.advance()
  func say(_ phase: PointerEvent.Phase, _ x: Double) throws {
    let event = PointerEvent(id: 1, phase, at: [x, 0], time: runtime.frame.time)
    try runtime.submit(PointerInput("ball", from: "finger", [event]))
    runtime.advance()
  }
  try say(.down, 0)
  for step in 1...10 { try say(.move, 10 * Double(step)) }
  try say(.up, 100)
}
// guide ends

// guide begins
/// A ball that a spring pulls to the middle, and a finger can drag and toss.
final class Surface {
  let ball = ReactiveProperty(Point(0, 0), named: "position", of: "ball")
  let finger = Gesture(TranslationGestureRecognizer(slop: 0))
  let motion = MotionRuntime(named: "surface")
  private let clock = ManualFrameClock()

  init(middle: Point) {
    let clock = clock
    motion.add(
      Tossable(
        position: ball, to: ReactiveProperty(middle, named: "middle"), springSource: { springSource($0, clock) },
        gesture: finger))
  }

  /// Whether the next frame is wanted.
  var isMoving: Bool { clock.isWanted }

  /// Runs the frame that ends at `time`, in seconds; then draw the ball at `ball.read()`.
  func run(to time: Double) {
    clock.run(Frame(number: clock.frame.number + 1, time: time, dt: time - clock.time))
  }
}
// guide ends

// guide begins
/// A dial that a user turns: it keeps its observers, and has to be notified when one of them unsubscribes.
final class Dial {
  private var listeners: [ObjectIdentifier: (Double) -> Void] = [:]

  func add(_ listener: AnyObject, _ onTurn: @escaping (Double) -> Void) {
    listeners[ObjectIdentifier(listener)] = onTurn
  }

  func remove(_ listener: AnyObject) { listeners[ObjectIdentifier(listener)] = nil }

  func turn(to angle: Double) { for listener in listeners.values { listener(angle) } }
}

/// The connection of one observer to a dial.
final class DialSubscription: Subscription {
  private let dial: Dial

  init(_ dial: Dial, _ observer: MotionObserver<Double>) {
    self.dial = dial
    super.init()
    dial.add(self) { angle in
      observer.state(.active)
      observer.next(angle)
      observer.state(.atRest)
    }
  }

  override func unsubscribe() { dial.remove(self) }
}

/// The angle of a dial, in radians.
func dialSource(_ dial: Dial) -> MotionObservable<Double> {
  MotionObservable(Metadata("dial")) { observer in DialSubscription(dial, observer) }
}
// guide ends

// guide begins
/// The value of a fade of two seconds at these times, in any order.
func scrub(to times: [Double]) throws -> [Double] {
  let timeline = Timeline(paused: true)
  let opacity = ReactiveProperty(0.0, named: "opacity")
  let fade = Tween(values: [0, 1], duration: 2, timeline: timeline)
  let motion = MotionRuntime()
  motion.write(try tweenSource(fade, from: opacity, ManualFrameClock()), to: opacity)
  return times.map { time in
    timeline.timeOffset.write(time)
    return opacity.read()
  }
}
// guide ends

// guide begins
/// Runs to rest, and keeps the operations that were applied in each frame.
func record(_ transaction: Transaction) throws -> [RecordedFrame] {
  let runtime = Runtime(ratePerSecond: 60)
  (runtime.log.keeps, runtime.computesHashes) = (.events, true)
  try runtime.commit(transaction)
  while runtime.wantsFrames { runtime.advance() }
  var recorder = FrameRecorder()
  return runtime.log.take().compactMap { recorder.record($0) }
}

/// Runs the same again; returns the frames that differ in any bit.
func replay(_ frames: [RecordedFrame]) throws -> [Replayer.Difference] {
  let replayer = try Replayer(RecordingHeader(ratePerSecond: 60, plugins: []))
  return try frames.compactMap { try replayer.replay($0) }
}
// guide ends
