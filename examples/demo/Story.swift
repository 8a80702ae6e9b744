import Foundation
import MotionClient
import MotionDrawing
import MotionModel
import MotionWire

/// The acts, in order.
final class Story {
  let stage: Stage
  let client: MotionClient
  let values: ValueSubscription
  /// What was heard of the ball's x and of the lamp's opacity, for the picture.
  var ball = Trace("ball/position x")
  var lamp = Trace("lamp/opacity")

  /// The same, and who drove them when, to be drawn.
  var tracks = MotionTracks(from: 0)

  /// When the ball had come to rest after the interruptions, in simulated seconds.
  private(set) var interruptionsEnd = 0.0

  static let ballPosition = PropertyReference("ball", "position")
  static let lampOpacity = PropertyReference("lamp", "opacity")

  init(_ stage: Stage) throws {
    self.stage = stage
    Terminal.say(Terminal.bold("motiond: a story in nine acts, measured while it happens"))
    client = try stage.connect()
    values = try client.subscribe(to: [
      .drivers(.target("ball")), .drivers(.target("lamp")), .motion(.target("ball")), .motion(.target("lamp")),
      .outcomes(nil),
    ])
    try values.synchronise(timeout: .seconds(5))
    Terminal.note("a private motiond runs as process \(stage.daemon.processIdentifier) in \(stage.directory)")
  }

  func tell() throws {
    try commitAFile()
    try interrupt()
    try tossTheBall()
    try killTheWorker()
    try limitTheHead()
    try bendTime()
    try lookBack()
    try rest()
  }

  /// Hears what comes until `isDone`, at most so many seconds.
  func listen(
    atMost seconds: Double, until isDone: (ValueSubscription.Event) throws -> Bool
  ) throws {
    let limit = Date().addingTimeInterval(seconds)
    while Date() < limit {
      guard let event = try values.next(timeout: .milliseconds(100)) else { continue }
      hear(event)
      if try isDone(event) { return }
    }
    throw DemoFailure("nothing came to an end within \(seconds) s")
  }

  /// Takes note of what was heard.
  func hear(_ event: ValueSubscription.Event) {
    switch event {
    case .values(let frame):
      ball.hear(frame, Self.ballPosition)
      lamp.hear(frame, Self.lampOpacity)
      guard !frame.isComplete else { return }
      let moment = Frame(number: frame.frame, time: frame.time, dt: frame.dt)
      for property in frame.properties { tracks.take(property.state, of: property.reference, in: moment) }
    case .handedOver(let changes, _): for change in changes { tracks.take(change) }
    case .ended, .restarted: break
    }
  }

  /// Hears what was said so far, so that what comes next is new.
  func forgetWhatWasSaid() throws {
    // A question that is answered behind it, and all that was said before is here.
    _ = try client.status()
    while let event = try values.next(timeout: .milliseconds(100)) { hear(event) }
  }

  /// Hears what comes until the plan on `target` has ended, and says how.
  func listen(untilEndOn target: TargetName, of type: IntentionType, atMost seconds: Double) throws -> Outcome {
    var outcome: Outcome?
    try listen(atMost: seconds) { event in
      guard case .ended(let plans, _) = event else { return false }
      outcome = plans.first { $0.target == target && $0.type == type }?.outcome
      return outcome != nil
    }
    return try outcome ?? { throw DemoFailure("no plan ended on \(target)") }()
  }

  // MARK: 1

  private func commitAFile() throws {
    Terminal.act(1, "A transaction is a file; values move")
    let path = "\(stage.directory)/spring.json"
    let text = """
      {"transaction":[{"add":{"type":"SpringTo","property":"position","destination":[100,50]},"to":"ball"}]}
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try stage.motionctl(["commit", path])
    let outcome = try listen(untilEndOn: "ball", of: "SpringTo", atMost: 10)
    Terminal.say("   x  \(Terminal.sparkline(ball.samples.map(\.value)))")
    let last = ball.samples.last?.value ?? .nan
    try Terminal.check(
      outcome == .completed && last == 100, "the ball rests at exactly 100 (\(ball.samples.count) frames)")
    try Terminal.check(
      ball.missingFrames == 0, "no frame is missing between the first and the last: \(ball.missingFrames)")
  }

  // MARK: 2

  private func interrupt() throws {
    Terminal.act(2, "Anything interrupts anything: a spring, by a tween in another process, by a spring")
    let begin = ball.samples.count
    try hurl(.springTo("position", [400, 50], .physical(tension: 60, friction: 6)), "SpringTo", after: 0)
    try hurl(.tween("position", to: [150, 50], duration: .milliseconds(600)), "Tween", after: 24)
    try hurl(.springTo("position", [300, 50], .physical(tension: 120, friction: 10)), "SpringTo", after: 40)
    _ = try listen(untilEndOn: "ball", of: "SpringTo", atMost: 10)
    let samples = Array(ball.samples[begin...])
    interruptionsEnd = samples.last?.time ?? 0
    Terminal.say("   x  \(Terminal.sparkline(samples.map(\.value)))")
    Terminal.say("   v  \(Terminal.sparkline(samples.map(\.velocity)))")
    for mark in ball.marks { try show(mark, in: samples) }
    try Terminal.check(ball.samples.last?.value == 300, "the ball rests at exactly 300")
  }

  /// Lets some frames pass, then commits a plan and marks when it took the ball over.
  private func hurl(_ intention: Intention, _ label: String, after frames: Int) throws {
    var heard = 0
    if frames > 0 {
      try listen(atMost: 5) { event in
        if case .values = event { heard += 1 }
        return heard >= frames
      }
    }
    var transaction = Transaction()
    transaction.add(intention, to: "ball")
    let receipt = try client.commit(transaction)
    guard let frame = receipt.frame else { throw DemoFailure("the receipt names no frame") }
    try listen(atMost: 5) { event in
      guard case .values(let values) = event else { return false }
      return values.frame > frame + 3
    }
    ball.marks.append(.init(time: ball.sample(at: frame)?.time ?? 0, label: label))
  }

  /// Value and velocity before and after a hand-over, and the largest jump that the acceleration does not explain.
  private func show(_ mark: Trace.Mark, in samples: [Trace.Sample]) throws {
    guard let index = samples.firstIndex(where: { $0.time >= mark.time }), index > 0 else { return }
    // A tween in a worker takes over with its first values, one or two frames after its transaction was applied.
    let window = samples[max(0, index - 1)..<min(samples.count, index + 6)]
    let before = samples[index - 1]
    let after = samples[min(samples.count - 1, index + 2)]
    Terminal.say(
      "   \(mark.label.padding(toLength: 9, withPad: " ", startingAt: 0)) value \(before.value.text(2)) → "
        + "\(after.value.text(2))   velocity \(before.velocity.text(1)) → \(after.velocity.text(1))")
    let jump =
      zip(window, window.dropFirst()).map { earlier, later in
        abs(later.value - earlier.value - (earlier.velocity + later.velocity) / 2 * (later.time - earlier.time))
      }.max() ?? 0
    try Terminal.check(jump < 1, "the value never jumps: \(jump.text(4)) points beyond what its velocity explains")
  }

  // MARK: 9

  /// Stops the daemon and proves that nothing is left of it.
  func end() throws {
    Terminal.act(9, "Nothing is left behind")
    for row in try client.plugins().flatMap(\.workers) { stage.sawWorker(row.processID) }
    try stage.stopDaemon(within: 10)
    let all = stage.workers.union([stage.daemon.processIdentifier])
    let left = all.filter(Kernel.isRunning)
    try Terminal.check(left.isEmpty, "of \(all.count) processes that were started, \(left.count) are left")
  }
}
