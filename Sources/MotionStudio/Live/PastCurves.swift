import MotionCore
import MotionFiles
import MotionHistory
import MotionModel

/// The values and velocities of properties in a part of the history, the hand-overs between their drivers, and jumps.
struct PastCurves {
  private let timeline: Timeline
  private let part: HistoryReader.Part
  private let dt: Double
  private var curves: [PropertyReference: Curve] = [:]
  private let order: [PropertyReference]
  private var marks: [Mark] = []
  /// The marks whose steps have not shown yet.
  private var unmeasured: [Int] = []
  private var begin: Frame
  private var finish: Frame

  /// A change of the driver of a property.
  private struct Mark {
    enum Kind: String { case handover, start, end, failure, stop, jump }

    let property: PropertyReference
    let kind: Kind
    /// The first frame that has it, or that the new driver moves.
    var frame: Frame
    let plan: Plan?
    let text: String
    var steps: (value: Lanes, velocity: Lanes)?
  }

  /// The plan of a driver.
  private struct Plan {
    let driver: DriverChange.Driver
    var provenance: Provenance?
  }

  /// Replays the part.
  ///
  /// - Throws: ``MotionHistory/HistoryError``; an interruption when it takes too long.
  init(of request: LongRequest.CurvesRequest, in part: HistoryReader.Part) throws {
    (self.part, timeline, order) = (part, part.timeline, request.properties)
    try timeline.seek(to: part.before) { $0.log.keeps = [.drivers, .endings, .events] }
    let runtime = timeline.runtime
    runtime.log.keeps = [.drivers, .endings, .events]
    _ = runtime.log.take()
    (begin, finish, dt) = (runtime.frame, runtime.frame, 1 / runtime.ratePerSecond)
    let frames = part.last > part.before ? part.last - part.before : 0
    for property in order {
      var curve = Curve(frames: frames, points: request.points)
      curve.plan = plan(of: property)
      if let state = runtime.state(of: property) { curve.add(state, at: runtime.frame) }
      curves[property] = curve
    }
    while timeline.runtime.frame.number < part.last, try timeline.next() != nil { take() }
    finish = timeline.runtime.frame
    for property in order { markJumps(of: property) }
    marks = marks.enumerated().sorted { ($0.element.frame.number, $0.offset) < ($1.element.frame.number, $1.offset) }
      .map(\.element)
    for property in order { curves[property]?.end(at: finish) }
  }

  private func plan(of property: PropertyReference) -> Plan? {
    guard case .why(let explanation)? = try? timeline.runtime.answer(.why(property)), let plan = explanation.plan else {
      return nil
    }
    let driver = DriverChange.Driver(
      executor: plan.executor, identity: plan.identity, type: plan.intention.type, name: plan.name)
    return Plan(driver: driver, provenance: plan.provenance)
  }

  // MARK: Frames

  private mutating func take() {
    let runtime = timeline.runtime
    let before = Dictionary(order.map { ($0, curves[$0]?.state) }) { first, _ in first }
    for property in order {
      guard let state = runtime.state(of: property), state != curves[property]?.state else { continue }
      curves[property]?.add(state, at: runtime.frame)
    }
    func measure(_ index: Int) {
      guard let was = before[marks[index].property] ?? nil, let now = curves[marks[index].property]?.state,
        was.value.count == now.value.count
      else { return }
      let carried = Lanes(was.value.storage + was.velocity.storage * dt, count: was.value.count)
      marks[index].steps = (
        Lanes(now.value.storage - carried.storage, count: carried.count),
        Lanes(now.velocity.storage - was.velocity.storage, count: carried.count)
      )
    }
    for record in runtime.log.take() {
      let hasStop = record.events.contains { if case .stop = $0.event { true } else { false } }
      let failed = record.ended.filter { $0.outcome == .failed }.map(\.identity)
      for change in record.drivers where curves[change.reference] != nil {
        mark(change, isStop: hasStop, failed: failed)
        unmeasured.append(marks.count - 1)
      }
    }
    // A worker's first value comes some frames later; until then the former driver moves the property.
    let ready = unmeasured.filter { mover(of: marks[$0].property) == nil }
    for index in ready {
      marks[index].frame = runtime.frame
      measure(index)
    }
    // Until a worker's first value, and in its frame, the hand-over explains what happens.
    let handedOver = Set((unmeasured + ready).map { marks[$0].property })
    unmeasured.removeAll { ready.contains($0) }
    for property in order {
      guard let state = runtime.state(of: property) else { continue }
      curves[property]?.look(
        for: state, after: before[property] ?? nil, at: runtime.frame, isHandover: handedOver.contains(property))
    }
  }

  private mutating func markJumps(of property: PropertyReference) {
    guard let curve = curves[property] else { return }
    for case (let jump?, let plan) in zip(curve.jumps.found(), curve.jumpingPlans) {
      let text = "\(plan.map(Self.text) ?? "it") jumps"
      marks.append(
        Mark(
          property: property, kind: .jump, frame: jump.frame, plan: plan, text: text,
          steps: (jump.value, jump.velocity)))
    }
  }

  /// What still moves a property until the first value of its driver.
  private func mover(of property: PropertyReference) -> ExecutorType? {
    if case .why(let explanation)? = try? timeline.runtime.answer(.why(property)) { explanation.mover } else { nil }
  }

  private mutating func mark(_ change: DriverChange, isStop: Bool, failed: [IntentionIdentity]) {
    let property = change.reference
    let former = curves[property]?.plan
    var plan: Plan?
    if let driver = change.driver {
      plan = self.plan(of: property)
      if plan?.driver.identity != driver.identity { plan = Plan(driver: driver) }
    }
    let kind: Mark.Kind
    switch (former, plan) {
    case (.some, .some): kind = .handover
    case (_, .some): kind = .start
    case (let former?, nil) where failed.contains(former.driver.identity): kind = .failure
    case (_, nil): kind = isStop ? .stop : .end
    }
    curves[property]?.plan = plan
    let text =
      switch (former, plan) {
      case (let former?, let plan?): "\(Self.text(plan)) takes over from \(Self.text(former))"
      case (nil, let plan?): "\(Self.text(plan)) begins"
      case (let former?, nil):
        "\(Self.text(former)) \(kind == .failure ? "fails" : kind == .stop ? "is stopped" : "ends")"
      case (nil, nil): "nothing drives it"
      }
    marks.append(
      Mark(property: property, kind: kind, frame: timeline.runtime.frame, plan: plan ?? former, text: text))
  }

  private static func text(_ plan: Plan) -> String {
    "\(plan.driver.type)\(plan.driver.name.map { " \"\($0)\"" } ?? "")"
  }

  // MARK: The answer

  /// The answer to the viewer.
  var json: JSONOutput {
    [
      "from": .number(begin.time), "to": .number(finish.time),
      "frames": [.unsigned(begin.number), .unsigned(finish.number)],
      "curves": .list(order.compactMap { property in curves[property].map { $0.json(of: property) } }),
      "marks": .list(marks.map(Self.json(of:))),
    ]
  }

  private static func json(of mark: Mark) -> JSONOutput {
    let client = mark.plan?.provenance.map { ($0.onBehalfOf ?? $0.client).description }
    let comment = mark.plan?.provenance.map(\.comment).flatMap { $0.isEmpty ? nil : $0 }
    var plan: JSONOutput = .null
    if let driver = mark.plan?.driver {
      plan = ["type": .text(driver.type.text), "sequence": .unsigned(driver.identity.sequence)]
      if let name = driver.name { plan = plan.joined(with: ["name": .text(name.text)]) }
    }
    return [
      "property": .text(mark.property.description), "time": .number(mark.frame.time),
      "frame": .unsigned(mark.frame.number),
      "kind": .text(mark.kind.rawValue), "text": .text(mark.text), "plan": plan, "client": .text(client),
      "comment": .text(comment), "stepOfValue": mark.steps.map { .lanes($0.value) } ?? [],
      "stepOfVelocity": mark.steps.map { .lanes($0.velocity) } ?? [],
    ]
  }

  /// The points of a property: of so many frames in a row, those with the extreme values.
  private struct Curve {
    private var points: [(frame: Frame, state: PropertyState)] = []
    /// The points of the frames that are thinned together.
    private var bucket: [(frame: Frame, state: PropertyState)] = []
    private let framesInBucket: UInt64
    private var bucketEnd: UInt64 = 0
    /// The plan that drives it.
    var plan: Plan?
    private(set) var jumps = JumpDetector()
    /// The plans that drove it at these jumps.
    private(set) var jumpingPlans: [Plan?] = []

    /// The last state.
    var state: PropertyState? { (bucket.last ?? points.last)?.state }

    init(frames: UInt64, points: Int) {
      // Of a bucket some three points stay.
      framesInBucket = frames <= UInt64(points) ? 1 : 3 * frames / UInt64(max(1, points))
    }

    mutating func add(_ state: PropertyState, at frame: Frame) {
      if frame.number >= bucketEnd {
        thin()
        bucketEnd = frame.number + framesInBucket
      }
      bucket.append((frame, state))
    }

    /// Looks whether it has jumped in a frame.
    mutating func look(for state: PropertyState, after was: PropertyState?, at frame: Frame, isHandover: Bool) {
      switch jumps.take(state, after: was, at: frame, isHandover: isHandover) {
      case .nothing: break
      case .jump: jumpingPlans.append(plan)
      case .largerJump: jumpingPlans[jumpingPlans.count - 1] = plan
      }
    }

    mutating func end(at frame: Frame) {
      thin()
      if let last = points.last, last.frame.number < frame.number { points.append((frame, last.state)) }
    }

    private mutating func thin() {
      defer { bucket.removeAll(keepingCapacity: true) }
      guard bucket.count > 3 else { return points += bucket }
      var kept: Set<Int> = [0, bucket.count - 1]
      for lane in 0..<(bucket[0].state.value.count) {
        let values = bucket.map { lane < $0.state.value.count ? $0.state.value[lane] : 0 }
        for extreme in [values.indices.min { values[$0] < values[$1] }, values.indices.max { values[$0] < values[$1] }]
        {
          if let extreme { kept.insert(extreme) }
        }
      }
      for index in kept.sorted() { points.append(bucket[index]) }
    }

    func json(of property: PropertyReference) -> JSONOutput {
      [
        "property": .text(property.description), "time": .list(points.map { .number($0.frame.time) }),
        "frame": .list(points.map { .unsigned($0.frame.number) }),
        "value": .list(points.map { .lanes($0.state.value) }),
        "velocity": .list(points.map { .lanes($0.state.velocity) }),
      ]
    }
  }
}
