import Foundation
import Glibc
import MotionModel
import MotionWire

@testable import MotionLink

/// The calls of workers' ends of the link with their times, and the resulting actions, as text: for implementations in
/// other languages, which replay the calls and compare the actions.
///
/// The first line is `motiond-link-trace 1`, then `schedule SEED` begins each schedule. A line for each call begins with
/// the number of the worker in the schedule:
///
///     0 new EPOCH INCARNATION NOW
///     0 start NOW
///     0 receive NOW MESSAGE
///     0 subscribed NOW TOPIC
///     0 unsubscribed TOPIC
///     0 deadline NOW
///     0 record MESSAGE              an update with this one event
///     0 tokens EXECUTOR:TOKEN …     all that are held
///     0 active 1 NOW
///     0 update FRAME NOW            without values
///
/// Lines with `>` follow, one for each action (`send`, `publish`, `subscribe`, `provision`, `apply` with a message, `run`
/// with the frame's number and the bits of its numbers, `inspect`, `lost`, `exit` with the reason), and at last one with
/// `=`: the state, the last command applied, the number of unacknowledged events, and the next deadline. Times are
/// nanoseconds of the boot clock, messages are hexadecimal.
final class LinkTrace {
  /// The first line of a file.
  static let beginning = "motiond-link-trace 1\n"
  /// Where traces are wanted: `MOTION_LINK_TRACES`.
  static let folder = getenv("MOTION_LINK_TRACES").map { String(cString: $0) }

  private(set) var text = LinkTrace.beginning
  private var workers = 0

  /// Begins a schedule.
  func begin(seed: UInt64) {
    workers = 0
    text += "schedule \(seed)\n"
  }

  /// The number of another worker in this schedule.
  func number() -> Int {
    defer { workers += 1 }
    return workers
  }

  /// Writes down a call of a worker's end, the actions, and the end's state after it.
  func note(_ call: String, of worker: Int, _ actions: [WorkerAction], _ link: WorkerLink) {
    text += "\(worker) \(call)\n"
    for action in actions { text += "> \(Self.line(action))\n" }
    let deadline = link.nextDeadline.map { "\($0.nanosecondsSinceBoot)" } ?? "-"
    text += "= \(link.state.word) \(link.commandsApplied) \(link.unacknowledgedEvents) \(deadline)\n"
  }

  /// Writes the text to a file and begins anew.
  func write(to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    text = Self.beginning
  }

  private static func line(_ action: WorkerAction) -> String {
    switch action {
    case .send(let envelope): "send \(hex(envelope))"
    case .publish(let envelope): "publish \(hex(envelope))"
    case .subscribe(let welcome): "subscribe \(hex(.welcome(welcome)))"
    case .provision(let snapshot): "provision \(hex(.snapshot(command: 0, lastEventApplied: 0, snapshot)))"
    case .apply(let command): "apply \(hex(.command(number: 0, command)))"
    case .run(let frame):
      "run \(frame.number) \(String(frame.time.bitPattern, radix: 16)) \(String(frame.dt.bitPattern, radix: 16))"
    case .inspect(let executors, let question):
      "inspect \(question) \(executors.map { "\($0.rawValue)" }.joined(separator: ","))"
    case .leaseLost: "lost"
    case .exit(let reason): "exit \(word(reason))"
    }
  }

  private static func word(_ reason: WorkerExit) -> String {
    switch reason {
    case .shutdown: "shutdown"
    case .refused: "refused"
    case .unanswered: "unanswered"
    case .superseded: "superseded"
    case .outOfStep: "out-of-step"
    case .leaseEnded: "lease-ended"
    case .disconnected: "disconnected"
    }
  }

  /// A message without a sender, in hexadecimal.
  static func hex(_ body: Envelope.Body) -> String { hex(Envelope(epoch: 0, incarnation: 0, sequence: 0, body)) }

  /// A message in hexadecimal. An update loses its values, which other implementations add later.
  static func hex(_ envelope: Envelope) -> String {
    var envelope = envelope
    if case .update(var update) = envelope.body {
      (update.writes, update.shape) = ([], .none)
      envelope.body = .update(update)
    }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in envelope.encoded() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A worker's end of the link that writes down what it is called with and what it returns, if there is a trace.
@dynamicMemberLookup struct TracedLink {
  private var link: WorkerLink
  private let trace: LinkTrace?
  private let number: Int

  init(_ link: WorkerLink, of life: LinkWorld.Life, at now: Duration, in trace: LinkTrace?) {
    (self.link, self.trace) = (link, trace)
    number = trace?.number() ?? 0
    trace?.note("new \(life.epoch) \(life.incarnation) \(now.nanosecondsSinceBoot)", of: number, [], link)
  }

  /// What it holds.
  subscript<Value>(dynamicMember path: KeyPath<WorkerLink, Value>) -> Value { link[keyPath: path] }

  /// The tokens that its executors hold.
  var tokens: TokenSet {
    get { link.tokens }
    set {
      link.tokens = newValue
      guard let trace else { return }
      let held = (1...3).map { Fixture.executor($0) }.flatMap { executor in
        newValue[executor].sorted().map { " \(executor.rawValue):\($0)" }
      }
      trace.note("tokens" + held.joined(), of: number, [], link)
    }
  }

  mutating func start(at now: Duration) -> [WorkerAction] {
    let actions = link.start(at: now)
    return note("start \(now.nanosecondsSinceBoot)", actions)
  }

  mutating func received(_ envelope: Envelope, at now: Duration) -> [WorkerAction] {
    let actions = link.received(envelope, at: now)
    guard trace != nil else { return actions }
    return note("receive \(now.nanosecondsSinceBoot) \(LinkTrace.hex(envelope))", actions)
  }

  mutating func subscribed(to topic: String, at now: Duration) -> [WorkerAction] {
    let actions = link.subscribed(to: topic, at: now)
    return note("subscribed \(now.nanosecondsSinceBoot) \(topic)", actions)
  }

  mutating func unsubscribed(from topic: String) {
    let actions = link.unsubscribed(from: topic)
    _ = note("unsubscribed \(topic)", actions)
  }

  mutating func deadline(at now: Duration) -> [WorkerAction] {
    let actions = link.deadline(at: now)
    return note("deadline \(now.nanosecondsSinceBoot)", actions)
  }

  mutating func record(_ event: WorkerEvent) {
    link.record(event)
    guard trace != nil else { return }
    let update = WorkerUpdate(frame: 0, events: [WorkerUpdate.NumberedEvent(0, event)], commandsApplied: 0)
    _ = note("record \(LinkTrace.hex(.update(update)))", [])
  }

  mutating func setActive(_ isActive: Bool, at now: Duration) {
    link.setActive(isActive, at: now)
    _ = note("active \(isActive ? 1 : 0) \(now.nanosecondsSinceBoot)", [])
  }

  mutating func update(frame: UInt64, writes: [PropertyWrite], at now: Duration) -> Envelope {
    let envelope = link.update(frame: frame, writes: writes, at: now)
    _ = note("update \(frame) \(now.nanosecondsSinceBoot)", [.publish(envelope)])
    return envelope
  }

  private func note(_ call: @autoclosure () -> String, _ actions: [WorkerAction]) -> [WorkerAction] {
    trace?.note(call(), of: number, actions, link)
    return actions
  }
}
