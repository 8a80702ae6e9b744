import Foundation
import MotionClient
import MotionModel

extension Story {
  /// Act 7: motiond itself is killed in motion; then its past is asked.
  func lookBack() throws {
    Terminal.act(7, "Nothing is forgotten: motiond is killed in motion, goes on, and explains the past")
    let plan = try swingTheBall()
    let seen = ball.samples.count
    try listen(atMost: 5) { _ in self.ball.samples.count > seen + 60 }
    guard let last = ball.samples.last else { throw DemoFailure("the ball does not move") }
    let moment = Date()
    try stage.killAndRestartDaemon()
    try listen(atMost: 10) { _ in self.ball.samples.last.map { $0.frame > last.frame } ?? false }
    let outage = Date().timeIntervalSince(moment) * 1000
    let heard = ball.samples.count
    try listen(atMost: 5) { _ in self.ball.samples.count > heard + 60 }
    try report(since: seen, last, outage)
    try explain(plan)
  }

  /// Lets the ball swing for a long time.
  private func swingTheBall() throws -> Receipt {
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50], .physical(tension: 20, friction: 0.4)), to: "ball")
    let receipt = try client.commit(transaction, comment: "swing")
    guard let frame = receipt.frame else { throw DemoFailure("the receipt names no frame") }
    try listen(atMost: 5) { _ in self.ball.samples.last.map { $0.frame > frame } ?? false }
    return receipt
  }

  /// Whether the motion went on where it was.
  private func report(since begin: Int, _ last: Trace.Sample, _ outage: Double) throws {
    let samples = Array(ball.samples[begin...])
    Terminal.say("   x  \(Terminal.sparkline(samples.map(\.value)))")
    guard let next = samples.first(where: { $0.frame > last.frame }) else { return }
    try Terminal.check(
      zip(samples, samples.dropFirst()).allSatisfy { $0.frame < $1.frame && $0.time < $1.time },
      "no frame comes twice: \(last.frame) before the kill, \(next.frame) after it, heard \(outage.text(0)) ms later")
    let fastest = samples.map { abs($0.velocity) }.max() ?? 0
    let step = abs(next.value - last.value)
    let way = fastest * (next.time - last.time)
    try Terminal.check(
      step <= way, "the ball goes on from there: a step of \(step.text(2)), and its velocity explains \(way.text(2))")
  }

  /// What drove the ball before the kill, and what would have happened without that.
  private func explain(_ receipt: Receipt) throws {
    let why = try stage.motionctl(["why", "ball.position", "--at", "-1s"])
    try Terminal.check(
      why.contains("SpringTo") && why.contains("swing"),
      "the past of a process that was killed tells who moved the ball")
    guard let frame = receipt.frame, let begin = ball.sample(at: frame) else { return }
    let fork = try stage.motionctl(
      ["fork", "--at", "\((begin.time - 0.1).text(3))s", "--without", "\(receipt.sequence)"])
    try Terminal.check(
      fork.contains("ball/position"), "without that transaction, the ball would have stayed where it was")
  }
}
