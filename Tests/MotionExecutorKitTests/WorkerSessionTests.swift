import MotionCore
import MotionExecutorKit
import MotionLink
import MotionModel
import MotionStreams
import MotionTestKit
import Testing

@Suite struct WorkerSessionTests {
  private static let circle = ExecutorHandle(1)
  private static let key = ExecutorKey("circle", "Recorder")
  private static let opacity = PropertyHandle(10)

  private let log = RecordingExecutor.Log()

  private func session(acceptsNames: Bool = true, report: @escaping (String) -> Void = { _ in }) -> WorkerSession {
    WorkerSession([RecordingExecutor.declaration("Recorder", [], log, acceptsNames: acceptsNames)], report: report)
  }

  private func plan(_ number: UInt64, named name: IntentionName? = nil) -> PlannedIntention {
    PlannedIntention(
      identity: IntentionIdentity(sequence: number, operation: 0), intention: Intention("Record"), name: name,
      startFrame: 1, startTime: 0, starts: [.init("opacity", handle: Self.opacity, state: PropertyState(1))])
  }

  private func frame(_ number: UInt64) -> Frame { Frame(number: number, time: Double(number) / 4, dt: 0.25) }

  private func identity(_ number: UInt64) -> IntentionIdentity { IntentionIdentity(sequence: number, operation: 0) }

  @Test func anExecutorIsMadeWithItsFirstPlanAndServesTheOthers() {
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.apply(.add(Self.circle, Self.key, plan(2, named: "fade")))
    session.apply(.remove(Self.circle, identity(1)))
    session.apply(.remove(Self.circle, identity(2)))
    session.apply(.remove(Self.circle, identity(3)))
    session.apply(.removeExecutor(Self.circle))
    #expect(
      log.calls(on: "circle") == [
        .made, .added(identity(1), named: nil), .added(identity(2), named: "fade"), .removed(identity(1)),
        .removedNamed("fade"), .removed(identity(3)), .released,
      ])
  }

  @Test func `an executor is notified of a property it reads and runs the next frame`() {
    let reads = IntentionDescription(
      type: "Record", kind: .standing, executor: "Recorder", fields: [], reads: ["position"], documentation: "Reads.")
    let session = WorkerSession([RecordingExecutor.declaration("Recorder", [reads], log)])
    let position = PropertyReference("circle", "position")
    session.apply(.properties([ReadProperty(position, PropertyState(1))]))
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.apply(.add(ExecutorHandle(2), ExecutorKey("square", "Recorder"), plan(2)))
    session.run(frame(1))
    #expect(!session.isActive)
    log.clear()
    session.apply(.properties([ReadProperty(position, PropertyState(2))]))
    session.apply(.properties([ReadProperty(position, PropertyState(2))]))
    #expect(session.isActive)
    session.run(frame(2))
    session.apply(.properties([ReadProperty(position, nil)]))
    session.apply(.remove(Self.circle, identity(1)))
    session.apply(.properties([ReadProperty(position, PropertyState(3))]))
    #expect(
      log.calls(on: "circle") == [
        .noticed(position, PropertyState(2)), .updated(frame(2)), .noticed(position, nil), .removed(identity(1)),
      ])
    #expect(log.calls(on: "square").isEmpty)
  }

  @Test func `a gesture takes over a displaced property at its present state`() {
    let session = session()
    let position = PropertyReference("circle", "opacity")
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.apply(.displaced(Self.circle, "opacity"))
    session.write("opacity", PropertyState(0.5), imposing: [], remaining: nil, carry: nil, by: Self.circle)
    #expect(session.takeWrites().isEmpty)
    session.apply(
      .input(Self.circle, PointerInput("circle", from: "pen", []), over: [ReadProperty(position, PropertyState(0.25))]))
    session.remoteExecutionWillStart("drag", moving: ["opacity"], from: [], of: Self.circle)
    #expect(session.state(of: position, for: Self.circle) == PropertyState(0.25), "from where it is, not where it was")
    session.write("opacity", PropertyState(0.5), imposing: [], remaining: nil, carry: nil, by: Self.circle)
    #expect(session.takeWrites().map(\.state) == [PropertyState(0.5)])
    log.clear()
    // A later message of the coordinator about it changes nothing; displaced and resumed once more, it does.
    session.apply(.resumed(Self.circle, "opacity", PropertyState(0.25), time: 1))
    #expect(session.state(of: position, for: Self.circle) == PropertyState(0.5))
    session.apply(.displaced(Self.circle, "opacity"))
    session.apply(.resumed(Self.circle, "opacity", PropertyState(0.75), time: 2))
    #expect(
      log.calls(on: "circle") == [.displaced("opacity"), .resumed("opacity", PropertyState(0.75), time: 2)])
  }

  @Test func inputReachesItsExecutorWhichRunsTheNextFrame() {
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.run(frame(1))
    log.clear()
    let input = PointerInput("circle", from: "pen", [PointerEvent(id: 1, .down, at: [1, 2], time: 0.25)])
    session.apply(.input(Self.circle, input, over: []))
    session.apply(.input(ExecutorHandle(9), input, over: []))
    session.run(frame(2))
    #expect(log.calls(on: "circle") == [.received(input), .updated(frame(2))])
  }

  @Test func aPlanThatIsRefusedFailsAndLeavesNothing() {
    struct No: Error, CustomStringConvertible { let description = "no such curve" }
    log.onAdd = { executor, _ in
      executor.context.write("opacity", PropertyState(0.5))
      throw No()
    }
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    #expect(session.takeEvents() == [.failed(Self.circle, identity(1), reason: "no such curve")])
    #expect(!session.isActive)
    session.write("opacity", PropertyState(0.5), imposing: [], remaining: nil, carry: nil, by: Self.circle)
    #expect(session.refusedWrites == 1)
  }

  @Test func `a plan for an undeclared executor fails with the declared ones`() {
    let session = session()
    session.apply(.add(Self.circle, ExecutorKey("circle", "Other"), plan(1)))
    guard case .failed(Self.circle, _, let reason)? = session.takeEvents().first else {
      Issue.record("not failed")
      return
    }
    #expect(reason.contains("only Recorder"))
  }

  @Test func `only executors that want a frame run it, and changes of that are reported`() {
    var answers = [true, false]
    log.onUpdate = { _, _ in answers.removeFirst() }
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    #expect(session.takeEvents() == [.activity(Self.circle, true)])
    for number in UInt64(1)...3 { session.run(frame(number)) }
    #expect(answers.isEmpty)
    #expect(session.takeEvents() == [.activity(Self.circle, false)])
    #expect(!session.isActive)
    session.apply(.resumed(Self.circle, "opacity", PropertyState(0.5), time: 1))
    #expect(session.takeEvents() == [.activity(Self.circle, true)])
  }

  @Test func `writes outside the plans' properties are refused, and the last one is kept`() {
    var reports: [String] = []
    let session = session { reports.append($0) }
    session.apply(.add(Self.circle, Self.key, plan(1)))
    func write(_ property: PropertyName, _ state: PropertyState) {
      session.write(property, state, imposing: .velocity, remaining: 2, carry: 0.1, by: Self.circle)
    }
    write("opacity", PropertyState(0.25))
    write("opacity", PropertyState(0.5))
    write("opacity", PropertyState(Lanes(.nan)))
    write("opacity", PropertyState([1, 2]))
    write("position", PropertyState([1, 2]))
    write("position", PropertyState([1, 3]))
    let written = PropertyWrite(
      executor: Self.circle, property: Self.opacity, state: PropertyState(0.5), imposes: .velocity, remaining: 2,
      carry: 0.1)
    #expect(session.takeWrites() == [written])
    #expect(session.takeWrites() == [])
    #expect(session.refusedWrites == 4)
    // Once for each executor and property, so that a frame rate does not become a rate of lines.
    #expect(reports.count == 2)
    #expect(session.state(of: PropertyReference("circle", "opacity"), for: Self.circle) == PropertyState(0.5))
  }

  @Test func `a displaced property is not written until it is resumed or a plan is added`() {
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    func writes() -> Int {
      session.write("opacity", PropertyState(0.5), imposing: [], remaining: nil, carry: nil, by: Self.circle)
      return session.takeWrites().count
    }
    session.apply(.displaced(Self.circle, "opacity"))
    session.apply(.displaced(Self.circle, "opacity"))
    #expect(writes() == 0)
    session.apply(.resumed(Self.circle, "opacity", PropertyState(0.75), time: 2))
    #expect(session.state(of: PropertyReference("circle", "opacity"), for: Self.circle) == PropertyState(0.75))
    #expect(writes() == 1)
    session.apply(.displaced(Self.circle, "opacity"))
    session.apply(.add(Self.circle, Self.key, plan(2)))
    #expect(writes() == 1)
    #expect(log.calls(on: "circle").filter { $0 == .displaced("opacity") }.count == 2)
  }

  // Clauses: S8.18
  @Test func executorsAreUpdatedTargetByTarget() {
    var wantsMore = true
    log.onUpdate = { _, _ in wantsMore }
    let session = WorkerSession(["Recorder", "Other", "Third"].map { RecordingExecutor.declaration($0, [], log) })
    func add(_ handle: UInt32, _ target: TargetName, _ type: ExecutorType) {
      session.apply(.add(ExecutorHandle(handle), ExecutorKey(target, type), plan(UInt64(handle))))
    }
    /// The executors that a frame updates, in order.
    func updated(in number: UInt64) -> [String] {
      log.clear()
      session.run(frame(number))
      return log.entries.map { "\($0.executor)" }
    }
    add(1, "circle", "Recorder")
    add(2, "square", "Recorder")
    add(3, "triangle", "Recorder")
    add(4, "circle", "Other")
    add(5, "square", "Other")
    add(6, "circle", "Third")
    let all = [
      "Recorder on circle", "Other on circle", "Third on circle", "Recorder on square", "Other on square",
      "Recorder on triangle",
    ]
    #expect(updated(in: 1) == all)
    // Those of a target stay together when its first one is removed.
    session.apply(.removeExecutor(ExecutorHandle(1)))
    #expect(updated(in: 2) == Array(all.dropFirst()))
    wantsMore = false
    #expect(updated(in: 3) == Array(all.dropFirst()))
    #expect(updated(in: 4).isEmpty)
    // Woken in any order, and a target that was removed and added again is the last.
    for handle in [UInt32(4), 6] { session.apply(.removeExecutor(ExecutorHandle(handle))) }
    add(7, "circle", "Other")
    for (handle, target) in [(UInt32(3), TargetName("triangle")), (5, "square"), (2, "square")] {
      add(handle, target, "Recorder")
    }
    #expect(
      updated(in: 5) == ["Recorder on square", "Other on square", "Recorder on triangle", "Other on circle"])
  }

  @Test func `dt after missed frames is the time since the executor's last update`() {
    var frames: [Frame] = []
    var wants = true
    log.onUpdate = { _, frame in
      frames.append(frame)
      return wants
    }
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.run(frame(4))
    session.run(frame(5))
    wants = false
    session.run(frame(8))
    session.apply(.resumed(Self.circle, "opacity", PropertyState(0), time: 5))
    session.run(frame(20))
    #expect(frames.map(\.dt) == [0.25, 0.25, 0.75, 0.25])
  }

  @Test func `tokens are a set of names and end with their executor`() {
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    _ = session.takeEvents()
    session.remoteExecutionWillStart("b", moving: ["opacity"], from: [], of: Self.circle)
    session.remoteExecutionWillStart("b", moving: [], from: [], of: Self.circle)
    session.remoteExecutionWillStart("a", moving: [], from: [], of: Self.circle)
    session.remoteExecutionDidEnd("c", of: Self.circle)
    session.run(frame(1))
    #expect(session.isActive)
    session.apply(.removeExecutor(Self.circle))
    session.remoteExecutionWillStart("late", moving: [], from: [], of: Self.circle)
    #expect(
      session.takeEvents() == [
        .started(Self.circle, "b", moving: ["opacity"]), .started(Self.circle, "a", moving: []),
        .ended(Self.circle, "a"), .ended(Self.circle, "b"),
      ])
    #expect(session.tokens.isEmpty)
    #expect(!session.isActive)
  }

  @Test func `a finished plan is reported once and emits nothing more`() {
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.apply(.add(Self.circle, Self.key, plan(2)))
    _ = session.takeEvents()
    let child = Intention("Record")
    for _ in 0..<2 {
      session.emit(child, named: nil, parent: identity(1), ordinal: 0, of: Self.circle)
      session.finish(identity(2), .completed, of: Self.circle)
    }
    session.fail(identity(1), reason: "torn", of: Self.circle)
    session.emit(child, named: nil, parent: identity(1), ordinal: 1, of: Self.circle)
    #expect(
      session.takeEvents() == [
        .emitted(Self.circle, parent: identity(1), ordinal: 0, child, named: nil),
        .finished(Self.circle, identity(2), .completed), .failed(Self.circle, identity(1), reason: "torn"),
      ])
  }

  @Test func `a snapshot replaces plans, properties and executors`() {
    let session = session()
    let square = ExecutorHandle(2)
    let triangle = ExecutorHandle(3)
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.apply(.add(Self.circle, Self.key, plan(2)))
    session.apply(.displaced(Self.circle, "opacity"))
    session.apply(.add(square, ExecutorKey("square", "Recorder"), plan(3)))
    log.clear()
    let driven = PlannedIntention.Start("opacity", handle: Self.opacity, state: PropertyState(0.25))
    session.provision(
      WorkerSnapshot(
        frame: frame(9),
        executors: [
          .init(
            handle: Self.circle, key: Self.key, intentions: [plan(2), plan(4)], displaced: [], driven: [driven]),
          .init(
            handle: triangle, key: ExecutorKey("triangle", "Recorder"), intentions: [plan(5)],
            displaced: ["opacity"], driven: []),
        ], properties: [ReadProperty(PropertyReference("square", "position"), PropertyState([1, 2]))]))
    #expect(log.calls(on: "square") == [.released])
    #expect(log.calls(on: "circle") == [.removed(identity(1)), .added(identity(4), named: nil)])
    #expect(log.calls(on: "triangle") == [.made, .added(identity(5), named: nil), .displaced("opacity")])
    #expect(session.state(of: PropertyReference("circle", "opacity"), for: Self.circle) == PropertyState(0.25))
    #expect(session.state(of: PropertyReference("square", "position"), for: Self.circle) == PropertyState([1, 2]))
    #expect(session.frame == frame(9))
  }

  @Test func `a snapshot resumes a property that was displaced`() {
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.apply(.displaced(Self.circle, "opacity"))
    log.clear()
    let driven = PlannedIntention.Start("opacity", handle: Self.opacity, state: PropertyState(0.25))
    session.provision(
      WorkerSnapshot(
        frame: frame(9),
        executors: [.init(handle: Self.circle, key: Self.key, intentions: [plan(1)], displaced: [], driven: [driven])]))
    #expect(log.calls(on: "circle") == [.resumed("opacity", PropertyState(0.25), time: 2.25)])
  }

  @Test func `a cleared session ends its tokens and releases its executors`() {
    let session = session()
    session.apply(.add(Self.circle, Self.key, plan(1)))
    session.remoteExecutionWillStart("drag", moving: [], from: [], of: Self.circle)
    _ = session.takeEvents()
    session.clear()
    #expect(session.takeEvents() == [.ended(Self.circle, "drag")])
    #expect(log.calls(on: "circle").last == .released)
    session.run(frame(1))
    #expect(!session.isActive)
  }

  @Test func `a session reports the streams of its executors' plans`() {
    let swing = StreamExecutor.declaration("Swing", []) { plan in
      try plan.write(MotionSubject<Double>(Metadata("swing")).asStream().dedupe(), to: "opacity")
    }
    let session = WorkerSession([RecordingExecutor.declaration("Recorder", [], log), swing])
    session.apply(.add(Self.circle, Self.key, plan(1)))
    for (handle, number) in [(ExecutorHandle(2), UInt64(2)), (ExecutorHandle(3), 3)] {
      session.apply(.add(handle, ExecutorKey("square", "Swing"), plan(number)))
    }
    let streams = [StreamDescription("opacity", calls: ["swing()", "dedupe()"])]
    let plans = [StreamReport.Plan(identity(2), streams), StreamReport.Plan(identity(3), streams)]
    #expect(session.streams(of: []) == StreamReport(plans), "an executor without streams says nothing")
    #expect(session.streams(of: [ExecutorHandle(3), ExecutorHandle(9)]) == StreamReport([plans[1]]))
    session.apply(.remove(ExecutorHandle(2), identity(2)))
    session.apply(.removeExecutor(ExecutorHandle(3)))
    #expect(session.streams(of: []) == StreamReport())
    #expect(session.takeEvents().allSatisfy { if case .activity = $0 { true } else { false } }, "asking costs no event")
  }
}
