import Foundation
import MotionClient
import MotionDrawing
import MotionModel
import MotionWire

/// The limits of the head, along the axis on which it is flung.
private struct HeadLimits {
  let bound = 100.0
  let velocity = 300.0
  let acceleration = 1500.0
  let jerk = 12000.0

  var arguments: [String] {
    [
      "range=\((-bound).text(0))..\(bound.text(0))", "velocity=\(velocity.text(0))",
      "acceleration=\(acceleration.text(0))", "jerk=\(jerk.text(0))",
    ]
  }
}

/// A head that a hand flings to and fro, and where the hand demands it to be.
private struct Fling {
  /// How far the hand swings, in points, and how often in a second.
  static let swing = (amplitude: 160.0, rate: 0.9)

  var head = Trace("head/position x")
  /// What queries answered meanwhile; a frame without an answer has none.
  private(set) var demands: [(frame: UInt64, state: PropertyState)] = []

  mutating func hear(_ event: ValueSubscription.Event) {
    guard case .values(let values) = event else { return }
    head.hear(values, PropertyReference("head", "position"))
  }

  /// Takes the head's row of a query.
  mutating func take(_ row: PropertyRow) {
    guard let frame = head.samples.last?.frame else { return }
    demands.append((frame, row.demand ?? row.state))
  }

  /// The greatest demanded value and velocity.
  var demanded: (value: Double, velocity: Double) {
    demands.reduce((0, 0)) { (max($0.0, abs($1.state.value[0])), max($0.1, abs($1.state.velocity[0]))) }
  }

  /// Where the hand is after so many seconds.
  static func hand(after seconds: Double) -> SIMD2<Double> {
    SIMD2(swing.amplitude * sin(2 * .pi * swing.rate * seconds), 0)
  }

  /// The greatest acceleration of the head, from one frame to the next.
  var acceleration: Double {
    zip(head.samples, head.samples.dropFirst()).map { before, after in
      after.frame == before.frame + 1 ? abs(after.velocity - before.velocity) / (after.time - before.time) : 0
    }.max() ?? 0
  }

  /// Demand and position, one drawn over the other, as the lanes of one property.
  func track(marks: [MotionTrack.Mark]) -> MotionTrack {
    var (samples, place) = ([MotionTrack.Sample](), 0)
    for sample in head.samples {
      while place + 1 < demands.count, demands[place + 1].frame <= sample.frame { place += 1 }
      guard place < demands.count else { break }
      let demand = demands[place].state
      let state = PropertyState([demand.value[0], sample.value], velocity: [demand.velocity[0], sample.velocity])
      samples.append(MotionTrack.Sample(frame: sample.frame, time: sample.time, state))
    }
    return MotionTrack(PropertyReference("head", "position"), samples: samples, marks: marks)
  }
}

extension Story {
  /// Act 5: a hand flings a head that has limits, and its worker is killed.
  func limitTheHead() throws {
    Terminal.act(5, "A joint has limits, whoever moves it: a hand flings a head, and its worker is killed")
    let limits = HeadLimits()
    try stage.motionctl(["limit", "head", "property=position"] + limits.arguments)
    try stage.motionctl(["add", "Draggable", "--to", "head", "slop=0"])
    let heard = try client.subscribe(to: [.motion(.target("head"))])
    try heard.synchronise(timeout: .seconds(5))
    var fling = Fling()
    try drag(&fling, for: 0.9, heard)
    let killed = try worker(of: "gesture")
    let death = fling.head.samples.last?.time ?? 0
    guard kill(killed.processID, SIGKILL) == 0 else { throw DemoFailure("process \(killed.processID) is not there") }
    _ = try waitForNewWorker(of: "gesture", after: killed.incarnation)
    try drag(&fling, for: 1.2, heard)
    try stage.motionctl(["list", "properties", "head"])
    try letGo(&fling, heard)
    try report(fling, limits, death)
  }

  /// Sends a hand that goes to and fro for so long, and leaves it down.
  private func drag(_ fling: inout Fling, for seconds: Double, _ heard: ValueSubscription) throws {
    let start = Date()
    try touch(.down, at: Fling.hand(after: 0))
    while true {
      let elapsed = Date().timeIntervalSince(start)
      try touch(.move, at: Fling.hand(after: elapsed))
      if elapsed >= seconds { return }
      if let row = try client.properties(of: "head").first { fling.take(row) }
      while let event = try heard.next(timeout: .milliseconds(5)) { fling.hear(event) }
    }
  }

  private func touch(_ phase: PointerEvent.Phase, at place: SIMD2<Double>) throws {
    try client.send(PointerInput("head", from: "hand", [PointerEvent(id: 1, phase, at: place, time: 0)]))
  }

  /// Lets go, and hears until the head stands.
  private func letGo(_ fling: inout Fling, _ heard: ValueSubscription) throws {
    try touch(.up, at: Fling.hand(after: 1.2))
    let limit = Date().addingTimeInterval(5)
    while let event = try heard.next(timeout: .milliseconds(300)) {
      fling.hear(event)
      guard Date() < limit else { throw DemoFailure("the head does not stand") }
    }
  }

  private func report(_ fling: Fling, _ limits: HeadLimits, _ death: Double) throws {
    let (head, demanded) = (fling.head.samples, fling.demanded)
    let track = fling.track(marks: [MotionTrack.Mark(time: death, label: "SIGKILL")])
    Terminal.say("   demand \(Terminal.sparkline(track.samples.map(\.state.value[0])))")
    Terminal.say("   head   \(Terminal.sparkline(track.samples.map(\.state.value[1])))")
    let (far, fast) = (head.map { abs($0.value) }.max() ?? 0, head.map { abs($0.velocity) }.max() ?? 0)
    try Terminal.check(
      demanded.value > limits.bound && demanded.velocity > limits.velocity && head.count > 100,
      "the hand demands up to \(demanded.value.text(0)) points and \(demanded.velocity.text(0)) per s (\(head.count) frames)"
    )
    try Terminal.check(
      far <= limits.bound, "the head goes to \(far.text(3)) points at most, of \(limits.bound.text(0))")
    try Terminal.check(
      fast <= limits.velocity * (1 + 1e-9), "at \(fast.text(3)) per s at most, of \(limits.velocity.text(0))")
    try Terminal.check(
      fling.acceleration <= limits.acceleration * (1 + 1e-6),
      "with \(fling.acceleration.text(2)) per s² at most, of \(limits.acceleration.text(0)): also after the SIGKILL")
    try Terminal.check(
      head.last?.velocity == 0, "let go, it brakes and stands at \((head.last?.value ?? .nan).text(3))")
    let title = "A head under limits (second lane) behind the hand that demands (first lane); its worker is killed"
    try SVGDrawing([track], title: title, sharesTimes: false).text
      .write(toFile: stage.headPicture, atomically: true, encoding: .utf8)
  }
}
