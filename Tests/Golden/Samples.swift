import FakeCoordinator
import MotionCore
import MotionModel
import MotionWire

/// Possible answers of a daemon: one of every kind, the odd cases included.
enum Samples {
  static let identity = IntentionIdentity(sequence: 12, operation: 3)

  /// The times of both clocks of the daemon.
  static let moment = Moment(time: 12.345, wallTime: 1_800_000_600_250_000_000)

  static let targets = [
    TargetRow(target: "ball", properties: 2, executors: 2, intentions: 2, isActive: true),
    TargetRow(target: "room-3.wall:panel-117", properties: 0, executors: 0, intentions: 1, isActive: false),
  ]

  /// Limits hold the first one back.
  static let properties = {
    var rows = rowsWithoutLimits
    rows[0].limits = .limits(PropertyLimits(velocity: [500], acceleration: [2000]))
    rows[0].demand = PropertyState([80, -4], velocity: [820.5, 0])
    return rows
  }()

  private static let rowsWithoutLimits = [
    PropertyRow(
      reference: PropertyReference("ball", "position"), handle: PropertyHandle(1),
      state: PropertyState([62.5, -3.25], velocity: [410.125, 0]), driver: "Physics", because: [identity],
      waiting: ["Gesture"], changedFrame: 1480, isLate: false),
    PropertyRow(
      reference: PropertyReference("ball", "opacity"), handle: PropertyHandle(2),
      state: PropertyState(0.75, velocity: -1.5), driver: "Tween", because: [identity, identity.child(0)],
      waiting: [], changedFrame: 1479, isLate: true),
    PropertyRow(
      reference: PropertyReference("square", "scale"), handle: PropertyHandle(3), state: PropertyState(1),
      driver: nil, because: [], waiting: [], changedFrame: 0, isLate: false),
  ]

  static let executors = [
    ExecutorRow(
      key: ExecutorKey("ball", "Physics"), worker: nil, intentions: 1, tokens: [], isActive: true,
      drives: ["position"]),
    ExecutorRow(
      key: ExecutorKey("ball", "Tween"), worker: WorkerAddress("tween", 0), intentions: 1, tokens: ["12.3"],
      isActive: true, drives: ["opacity"]),
  ]

  static let intentions = [
    IntentionRow(
      identity: identity, target: "ball", name: "home",
      intention: Intention(
        "SpringTo", [.init("property", .property("position")), .init("destination", .vector([100, 50]))]),
      kind: .oneShot, executor: "Physics", state: .added, provenance: provenance),
    IntentionRow(
      identity: identity.child(0), target: "ball", name: nil,
      intention: Intention(
        "Tween",
        [
          .init("property", .property("opacity")), .init("to", .number(0)),
          .init("duration", .duration(.milliseconds(300))),
        ]), kind: .oneShot, executor: "Tween", state: .failed, reason: "no \"ease\""),
  ]

  /// Everything that an explanation can have.
  static let explanation = {
    var explanation = Explanation(frame: 1480, time: 12.345, properties[0])
    (explanation.plan, explanation.since, explanation.began) = (intentions[0], 11.9, 11.95)
    explanation.ancestors = [
      IntentionRow(
        identity: IntentionIdentity(sequence: 12, operation: 0), target: "ball", name: nil,
        intention: Intention("Bounce", []), kind: .oneShot, executor: "Bounce", state: .added)
    ]
    explanation.together = [
      IntentionRow(
        identity: IntentionIdentity(sequence: 9, operation: 0), target: "ball", name: "wind",
        intention: Intention("ConstantForce", [.init("property", .property("position"))]).priority(5),
        kind: .standing, executor: "Physics", state: .added)
    ]
    explanation.waiting = (3...5).map { number in
      IntentionRow(
        identity: IntentionIdentity(sequence: UInt64(number), operation: 0), target: "ball", name: nil,
        intention: Intention("AnchoredSpring", [.init("destination", .vector([Double(number), 0]))]), kind: .standing,
        executor: "Physics", state: number == 5 ? .waiting : .added, provenance: provenance)
    }
    explanation.former = Explanation.FormerPlan(
      IntentionIdentity(sequence: 11, operation: 0), "Tween", named: "intro", by: provenance, .displaced, at: 11.9)
    explanation.worker = Explanation.WorkerFact(WorkerAddress("tween", 0), isServing: false)
    (explanation.mover, explanation.lateness, explanation.fading) = ("Tween", .silent(since: 12), 0.091)
    explanation.restraints = [.velocity, .acceleration]
    return explanation
  }()

  static let provenance = Provenance(
    Committer(name: "motionctl", user: 1000, process: 4711), wallTime: 1_800_000_000_123_456_789,
    comment: "the second act")

  static let waiting = [
    WaitingRow(
      sequence: 49, at: 812.5, operations: 5, summary: "add SpringTo named home to ball; forget old; 3 more",
      provenance: provenance),
    WaitingRow(
      sequence: 51, at: 900, operations: 1, summary: "forget ball",
      provenance: Provenance(
        Committer(name: "motion-gateway", user: 990, process: 5),
        onBehalfOf: Committer(name: "desk", key: "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"),
        wallTime: 1_800_000_060_000_000_000)),
    WaitingRow(sequence: 52, at: 901, operations: 1, summary: "forget ball"),
  ]

  static let tokens = [TokenRow(executor: ExecutorKey("ball", "Tween"), token: "12.3")]

  static let plugins = [
    PluginRow(
      name: "broken", path: "/usr/lib/motiond/plugins/broken",
      problem: "plugin.json:3:5: \"executable\" is missing. Add \"executable\".", types: [], workers: []),
    PluginRow(name: "gesture", path: "/p/gesture", problem: "", types: ["Draggable"], workers: []),
    PluginRow(
      name: "tween", path: "/p/tween", problem: "", types: ["Tween"],
      workers: [
        WorkerRow(
          address: WorkerAddress("tween", 0), state: .ready, processID: 4242, incarnation: 3, restarts: 2, executors: 1)
      ]),
    PluginRow(
      name: "unruly", path: "/p/unruly", problem: "", types: [],
      workers: [
        WorkerRow(
          address: WorkerAddress("unruly", 0), state: .quarantined, incarnation: 9, restarts: 5,
          reason: "it died 5 times in 60 s, the last time by signal 6 (Aborted) while starting",
          log: ["begin", "cannot open /dev/dmx0"])
      ]),
  ]

  static let types = [
    IntentionDescription(
      type: "Glow", kind: .standing, executor: "Glow",
      fields: [
        FieldDescription(
          "property", .property, required: true, access: .writes, "The property that glows."),
        FieldDescription(
          "strength", .number, default: .number(0.5), range: 0...1, excludesLowerBound: true, unit: "share",
          lanesOf: "property", "How much."),
        FieldDescription(
          "shape", .choice, .text, default: .choice("round"), choices: ["round", "flat"], "How it looks."),
        FieldDescription("steps", .list, elements: [.number, .vector], "Where it halts."),
      ], writes: ["color"], exclusive: [["shape", "steps"]], requiresOneOf: [["strength", "shape"]],
      documentation: "Lets a property glow.")
  ]

  static let status = {
    var status = Status()
    status.version = "0.1.0"
    status.epoch = 4
    status.processID = 1234
    status.uptime = 3725.5
    status.ratePerSecond = 120
    status.clock = ClockState(time: 12.345, speed: 0.5, isPaused: false)
    status.isActive = true
    status.frame = Frame(number: 1480, time: 12.345, dt: 0.00416)
    status.counts.targets = 2
    status.counts.properties = 3
    status.counts.executors = 2
    status.counts.intentions = 2
    status.counts.tokens = 1
    status.counters = [.init("frames", 1480), .init("late updates", 1)]
    status.lateness.frames = 1480
    status.lateness.p50 = 0.000_011_775
    status.lateness.p99 = 0.000_094_2
    status.lateness.p999 = 0.001_234
    status.lateness.max = 0.012_345_678
    status.recentLateness = status.lateness
    status.recentLateness.frames = 720
    status.load.wakeUps = 4711
    status.load.processorTime = 3.25
    status.load.residentBytes = 27_400_000
    status.plugins = plugins
    status.recording = Status.Recording(path: "show.mcap", problem: "No space left on device")
    return status
  }()

  /// A coordinator that answers with these.
  /// The state of a runtime in which a lamp moves.
  static var presentState: RecordingHeader {
    let runtime = Runtime(ratePerSecond: 120)
    var transaction = Transaction()
    transaction.add(.springTo("x", 8), to: "old")
    _ = try? runtime.commit(transaction)
    runtime.advance()
    var header = RecordingHeader(ratePerSecond: 120, plugins: [])
    header.snapshot = runtime.snapshot()
    return header
  }

  static let handler: FakeCoordinator.Handler = { envelope in
    switch envelope.body {
    case .commit(let commit): .receipt(receipt(of: commit))
    case .query(.targets): .answer(.targets(targets))
    case .query(.properties): .answer(.properties(properties))
    case .query(.executors): .answer(.executors(executors))
    case .query(.intentions): .answer(.intentions(intentions))
    case .query(.tokens): .answer(.tokens(tokens))
    case .query(.waiting): .answer(.waiting(waiting))
    case .query(.plugins): .answer(.plugins(plugins))
    case .query(.types): .answer(.types(types + BuiltInIntentions.all))
    case .query(.status): .answer(.status(status))
    case .query(.why): .answer(.why(explanation))
    case .query(.snapshot): .answer(.snapshot(presentState))
    case .query(.graph(let target)): .answer(.graph(graph(of: target)))
    case .clock(.pause): .done(ClockState(time: 12.345, speed: 1, isPaused: true))
    default: FakeCoordinator.obliging(envelope)
    }
  }

  private static func receipt(of commit: Commit) -> Receipt {
    var receipt = Receipt(
      sequence: 17, frame: commit.at == nil ? 1481 : nil, at: commit.at,
      plugins: [PluginReadiness("gesture", .starting), PluginReadiness("tween", .ready)])
    guard commit.at == nil else { return receipt }
    receipt.displaced = [
      Receipt.Displaced(operation: 1, property: "opacity", by: identity, type: "Tween", name: "cue", priority: 5)
    ]
    receipt.limited = [
      Receipt.Limited(operation: 0, property: "position", limits: [.velocity, .acceleration]),
      Receipt.Limited(operation: 1, property: "position", limits: [.range], overrun: [12.5, 0]),
    ]
    return receipt
  }
}
