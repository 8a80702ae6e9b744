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
///     0 new EPOCH INCARNATION NOW [CLAIMS]    with the lease that the process of this number got last
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
/// A process that claims an assignment has a number, too:
///
///     1 claims NOW MESSAGE          a claim
///     1 begin NOW
///     1 receive NOW MESSAGE
///     1 deadline NOW
///
/// Lines with `>` follow, one for each action (`send`, `publish`, `subscribe`, `provision`, `apply` with a message, `run`
/// with the frame's number and the bits of its numbers, `inspect`, `lost`, `exit` with the reason, and of claims `assigned`
/// with epoch, end of the lease and message, and `wait` with the refusal), and at last one with `=`: the state, the last
/// command applied, the number of unacknowledged events, and the next deadline; of claims the repeats and the messages
/// that were ignored. Times are nanoseconds of the boot clock, messages are hexadecimal.
final class LinkTrace {
  /// The first line of a file.
  static let beginning = "motiond-link-trace 1\n"
  /// Where traces are wanted: `MOTION_LINK_TRACES`.
  static let folder = getenv("MOTION_LINK_TRACES").map { String(cString: $0) }

  private(set) var text = LinkTrace.beginning
  private var numbers = 0

  /// Begins a schedule.
  func begin(seed: UInt64) {
    numbers = 0
    text += "schedule \(seed)\n"
  }

  /// The number of another worker or process in this schedule.
  func number() -> Int {
    defer { numbers += 1 }
    return numbers
  }

  /// Writes down a call of a worker's end, the actions, and the end's state after it.
  func note(_ call: String, of worker: Int, _ actions: [WorkerAction], _ link: WorkerLink) {
    note(
      call, of: worker, actions.map(Self.line),
      "\(link.state.word) \(link.commandsApplied) \(link.unacknowledgedEvents)",
      deadline: link.nextDeadline)
  }

  /// Writes down a call of a process that claims, the actions, and its state after it.
  func note(_ call: String, of process: Int, _ actions: [ClaimLink.Action], _ claims: ClaimLink) {
    let counters = claims.counters
    note(
      call, of: process, actions.map(Self.line),
      "\(claims.nextDeadline == nil ? "settled" : "claiming") \(counters.retries) \(counters.old + counters.unexpected)",
      deadline: claims.nextDeadline)
  }

  private func note(_ call: String, of number: Int, _ actions: [String], _ state: String, deadline: Duration?) {
    text += "\(number) \(call)\n"
    for action in actions { text += "> \(action)\n" }
    text += "= \(state) \(deadline.map { "\($0.nanosecondsSinceBoot)" } ?? "-")\n"
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

  private static func line(_ action: ClaimLink.Action) -> String {
    switch action {
    case .send(let envelope): "send \(hex(envelope))"
    case .assigned(let epoch, let assignment, let lease):
      "assigned \(epoch) \(lease.end.nanosecondsSinceBoot) \(hex(.assignment(assignment)))"
    case .wait(let refusal): "wait \(hex(.refusal(refusal)))"
    case .refused: "exit refused"
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

  /// - Parameter claims: the claims that got the link's lease.
  init(
    _ link: WorkerLink, of life: LinkWorld.Life, leasedBy claims: TracedClaims? = nil, at now: Duration,
    in trace: LinkTrace?
  ) {
    (self.link, self.trace) = (link, trace)
    number = trace?.number() ?? 0
    let lease = claims.map { " \($0.number)" } ?? ""
    trace?.note("new \(life.epoch) \(life.incarnation) \(now.nanosecondsSinceBoot)\(lease)", of: number, [], link)
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

  mutating func unsubscribed(from topic: String) -> [WorkerAction] {
    let actions = link.unsubscribed(from: topic)
    return note("unsubscribed \(topic)", actions)
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

/// The claims of a process, which are written down in the same way.
struct TracedClaims {
  private var claims: ClaimLink
  private let trace: LinkTrace?
  let number: Int

  init(_ claim: Claim, timing: LinkTiming, at now: Duration, in trace: LinkTrace?) {
    claims = ClaimLink(claim, timing: timing, at: now)
    self.trace = trace
    number = trace?.number() ?? 0
    guard trace != nil else { return }
    _ = note("claims \(now.nanosecondsSinceBoot) \(LinkTrace.hex(.claim(claim)))", [])
  }

  mutating func begin(at now: Duration) -> [ClaimLink.Action] {
    let actions = claims.begin(at: now)
    return note("begin \(now.nanosecondsSinceBoot)", actions)
  }

  mutating func received(_ envelope: Envelope, at now: Duration) -> [ClaimLink.Action] {
    let actions = claims.received(envelope, at: now)
    guard trace != nil else { return actions }
    return note("receive \(now.nanosecondsSinceBoot) \(LinkTrace.hex(envelope))", actions)
  }

  mutating func deadline(at now: Duration) -> [ClaimLink.Action] {
    let actions = claims.deadline(at: now)
    return note("deadline \(now.nanosecondsSinceBoot)", actions)
  }

  private func note(_ call: @autoclosure () -> String, _ actions: [ClaimLink.Action]) -> [ClaimLink.Action] {
    trace?.note(call(), of: number, actions, claims)
    return actions
  }
}
