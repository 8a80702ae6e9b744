public import MotionCore
public import MotionModel

/// Hosts one executor in a unit test: passes it plans and frames, and records its reports.
///
///     let host = RecordingExecutorHost(ExecutorDeclaration(TweenExecutor.self))
///     try host.add(.tween("opacity", to: 0), named: nil)
///     host.advance(by: 1.0 / 60)
///     host.writes(of: "opacity")
///
/// The host keeps the guarantees of a runtime to an executor: plans start with the state of their properties, frames
/// have no gaps, an executor is called only while it requests frames. It has none of a runtime's other machinery: no
/// other writers, no blending, no removal of idle executors. A refused write changes nothing, as in a runtime.
public final class RecordingExecutorHost: ExecutorDriver, ExecutorHost {
  /// The executor's target.
  public let target: TargetName
  /// The descriptions of the plans that the executor accepts.
  public let descriptions: [IntentionDescription]
  /// The last frame that was run; number 0 before the first.
  public private(set) var frame = Frame(number: 0, time: 0, dt: 0)
  /// The states of the properties.
  public private(set) var properties: [PropertyReference: PropertyState]
  /// The tokens that the executor holds.
  public private(set) var tokens: Set<TokenName> = []
  /// The plans that the executor has, in the order of their addition.
  public private(set) var plans: [PlannedIntention] = []
  /// All reports of the executor, in order.
  public private(set) var reports: [ExecutorReport] = []
  /// Whether the executor's last answer, or an event since then, requests the next frame.
  public private(set) var wantsUpdate = false

  private var executor: (any Executor)?
  private let declaration: ExecutorDeclaration
  private var context: ExecutorContext?
  private var displaced: Set<PropertyName> = []
  private var handles: [PropertyName] = []
  private var reportsTaken = 0
  private var sequence: UInt64 = 0

  /// Creates a host for an executor of this declaration on `target`, with these initial properties.
  ///
  /// The executor is created when its first plan is added. Properties that are not given start as their names define
  /// (`KnownProperty`).
  public init(
    _ declaration: ExecutorDeclaration, target: TargetName = "target", properties: [PropertyName: PropertyState] = [:]
  ) {
    self.declaration = declaration
    self.target = target
    self.descriptions = declaration.descriptions
    self.properties = Dictionary(
      uniqueKeysWithValues: properties.map { (PropertyReference(target, $0.key), $0.value) })
  }

  // MARK: Driving

  /// The executor's abilities. They depend on its type, so the executor is created if there was no plan yet.
  public var abilities: ExecutorAbilities {
    let executor = madeExecutor()
    var abilities: ExecutorAbilities = []
    if executor is any NamedExecutor { abilities.insert(.names) }
    if executor is any UpdatingExecutor { abilities.insert(.updates) }
    if executor is any YieldingExecutor { abilities.insert(.yields) }
    return abilities
  }

  /// The simulated time reached, in seconds.
  public var time: Double { frame.time }

  /// Whether the executor requests the next frame or holds a token.
  public var isActive: Bool { wantsUpdate || !tokens.isEmpty }

  /// Whether the executor requests the next frame, as a runtime would report it.
  public var wantsFrames: Bool { wantsUpdate }

  /// Adds a plan, whose time begins now; rethrows the executor's error.
  @discardableResult
  public func add(_ intention: Intention, named name: IntentionName? = nil) throws -> IntentionIdentity {
    guard let description = descriptions.first(where: { $0.type == intention.type }) else {
      preconditionFailure("\(declaration.type) takes no \(intention.type)")
    }
    sequence += 1
    let identity = IntentionIdentity(sequence: sequence, operation: 0)
    let starts = description.propertiesWritten(by: intention).map { property in
      PlannedIntention.Start(property, handle: handle(of: property), state: startState(of: property, for: intention))
    }
    return try add(
      PlannedIntention(
        identity: identity, intention: intention, name: name, startFrame: frame.number + 1, startTime: time,
        starts: starts))
  }

  /// Adds a plan exactly as given: one that began in the past, as a worker receives it when it is provisioned again.
  @discardableResult
  public func add(_ planned: PlannedIntention) throws -> IntentionIdentity {
    for start in planned.starts where properties[PropertyReference(target, start.property)] == nil {
      properties[PropertyReference(target, start.property)] = start.state
    }
    plans.append(planned)
    do {
      switch (planned.name, madeExecutor()) {
      case (let name?, let executor as any NamedExecutor): try executor.add(planned, named: name)
      case (nil, let executor): try executor.add(planned)
      case (_?, _): preconditionFailure("\(declaration.type) takes no named plans")
      }
    } catch {
      plans.removeAll { $0.identity == planned.identity }
      throw error
    }
    for start in planned.starts { displaced.remove(start.property) }
    wantsUpdate = executor is any UpdatingExecutor
    return planned.identity
  }

  /// Removes a plan; the executor is called even for a plan that it does not have.
  public func remove(_ identity: IntentionIdentity) {
    plans.removeAll { $0.identity == identity }
    madeExecutor().remove(identity)
  }

  /// Removes the plan of that name; the executor is called even for a name that it does not have.
  public func remove(named name: IntentionName) {
    plans.removeAll { $0.name == name }
    (madeExecutor() as? any NamedExecutor)?.remove(named: name)
  }

  /// Makes another writer take `property`: the executor's one-shots on it are retired.
  public func displace(_ property: PropertyName) {
    displaced.insert(property)
    plans.removeAll { planned in
      kind(of: planned.intention) == .oneShot && planned.starts.contains { $0.property == property }
    }
    (madeExecutor() as? any YieldingExecutor)?.displaced(property)
  }

  /// Gives `property` back; the executor continues from `state`.
  public func resume(_ property: PropertyName, from state: PropertyState) {
    displaced.remove(property)
    properties[PropertyReference(target, property)] = state
    (madeExecutor() as? any YieldingExecutor)?.resumed(property, from: state, at: time)
    wantsUpdate = executor is any UpdatingExecutor
  }

  /// Runs one frame of `dt` seconds: the executor is updated if it requested the frame.
  public func advance(by dt: Double) {
    frame = Frame(number: frame.number + 1, time: frame.time + dt, dt: dt)
    guard wantsUpdate, let updating = executor as? any UpdatingExecutor else { return }
    wantsUpdate = updating.update(frame)
  }

  /// Runs frames of `dt` seconds until the executor requests none, at most `limit` of them. Returns whether the
  /// executor came to rest: it requests no frame and holds no token.
  @discardableResult
  public func advance(by dt: Double, untilIdleWithin limit: Int) -> Bool {
    for _ in 0..<limit where wantsFrames { advance(by: dt) }
    return !isActive
  }

  /// Sets a property as another writer would.
  public func set(_ property: PropertyName, to state: PropertyState) {
    properties[PropertyReference(target, property)] = state
  }

  /// Sets or removes a property of any target, and notifies the executor as a reader of it.
  ///
  /// Before the executor exists the property is only set. The executor gets the next frame, if it is updated by frames.
  public func notice(_ property: PropertyReference, _ state: PropertyState?) {
    properties[property] = state
    guard let reading = executor as? any ReadingExecutor else { return }
    reading.noticed(property, state)
    wantsUpdate = executor is any UpdatingExecutor
  }

  /// Sends pointer events on the target, at times in seconds; the executor gets the next frame.
  public func receive(_ events: [PointerEvent], from device: DeviceName = "hand") {
    guard let input = executor as? any InputExecutor else { return }
    input.receive(PointerInput(target, from: device, events))
    wantsUpdate = executor is any UpdatingExecutor
  }

  // MARK: Reading

  /// The state of a property of the target; `nil` if it is unknown.
  public func state(of property: PropertyName) -> PropertyState? { properties[PropertyReference(target, property)] }

  /// The executor's reports since the last call, in order.
  public func takeReports() -> [ExecutorReport] {
    defer { reportsTaken = reports.count }
    return Array(reports[reportsTaken...])
  }

  /// The executor's writes to `property`, in order, with the times of the frames.
  public func writes(of property: PropertyName) -> [(time: Double, state: PropertyState)] {
    reports.compactMap { report in
      guard case .wrote(property, let state, _, _, _) = report.content else { return nil }
      return (report.time, state)
    }
  }

  /// The plans that the executor finished, with their outcomes, in order.
  public var finished: [(identity: IntentionIdentity, outcome: Outcome)] {
    reports.compactMap { report in
      guard case .finished(let identity, let outcome) = report.content else { return nil }
      return (identity, outcome)
    }
  }

  // MARK: Reports of the executor

  /// Records a write, and applies it if it is allowed.
  public func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed, remaining: Double?, carry: Double?,
    by executor: ExecutorHandle
  ) {
    let reference = PropertyReference(target, property)
    if let reason = refusal(of: property, state) {
      record(.wroteRefused(property, reason: reason))
    } else if displaced.contains(property) {
      record(.wroteDisplaced(property))
    } else {
      properties[reference] = state
      record(.wrote(property, state, imposing: imposing, remaining: remaining, carry: carry))
    }
  }

  /// The state of a property of any target; `nil` if it is unknown.
  public func state(of reference: PropertyReference, for executor: ExecutorHandle) -> PropertyState? {
    properties[reference]
  }

  /// Records the start of remote execution, unless it is running.
  public func remoteExecutionWillStart(
    _ name: TokenName, moving properties: [PropertyName], from places: [Lanes], of executor: ExecutorHandle
  ) {
    if tokens.insert(name).inserted { record(.started(name, moving: properties)) }
  }

  /// Records the end of remote execution, if it is running.
  public func remoteExecutionDidEnd(_ name: TokenName, of executor: ExecutorHandle) {
    if tokens.remove(name) != nil { record(.ended(name)) }
  }

  /// Records that a plan is over, and retires it.
  public func finish(_ identity: IntentionIdentity, _ outcome: Outcome, of executor: ExecutorHandle) {
    plans.removeAll { $0.identity == identity }
    record(.finished(identity, outcome))
  }

  /// Records that a plan cannot be fulfilled, and retires it.
  public func fail(_ identity: IntentionIdentity, reason: String, of executor: ExecutorHandle) {
    plans.removeAll { $0.identity == identity }
    record(.failed(identity, reason: reason))
  }

  /// Records that a plan emits another, which is added nowhere.
  public func emit(
    _ intention: Intention, named name: IntentionName?, parent: IntentionIdentity, ordinal: UInt32,
    of executor: ExecutorHandle
  ) {
    record(.emitted(intention, named: name, parent: parent, ordinal: ordinal))
  }

  // MARK: Helpers

  private func record(_ content: ExecutorReport.Content) {
    reports.append(ExecutorReport(time: frame.time, content))
  }

  private func madeExecutor() -> any Executor {
    if let executor { return executor }
    let context = ExecutorContext(target: target, executor: ExecutorHandle(1), host: self)
    let executor = declaration.make(target, context)
    (self.context, self.executor) = (context, executor)
    return executor
  }

  private func kind(of intention: Intention) -> IntentionKind? {
    descriptions.first { $0.type == intention.type }?.kind(of: intention)
  }

  private func handle(of property: PropertyName) -> PropertyHandle {
    if let index = handles.firstIndex(of: property) { return PropertyHandle(UInt32(index + 1)) }
    handles.append(property)
    return PropertyHandle(UInt32(handles.count))
  }

  /// The property's state, or the initial one by its name: with the lanes of the plan's values, if the property allows
  /// them.
  private func startState(of property: PropertyName, for intention: Intention) -> PropertyState {
    if let state = properties[PropertyReference(target, property)] { return state }
    let known = KnownProperty.named(property)
    let description = descriptions.first { $0.type == intention.type }
    let required = description?.laneRequirements(of: intention).first { $0.property == property && $0.isDefault }
    let given = intention.fields.lazy.compactMap { field in
      if case .list(let values) = field.value { values.first?.lanes } else { field.value.lanes }
    }
    let lanes = required?.lanes ?? given.map(\.count).first { known.lanes.contains($0) } ?? known.lanes.lowerBound
    return PropertyState(Lanes(SIMD4(repeating: known.initialLane), count: lanes))
  }

  private func refusal(of property: PropertyName, _ state: PropertyState) -> String? {
    guard state.isWellFormed else { return "\(state.value) with velocity \(state.velocity) is not well formed" }
    guard plans.contains(where: { $0.start(of: property) != nil }) else { return "no plan writes \(property)" }
    guard let present = properties[PropertyReference(target, property)] else { return nil }
    guard present.value.count == state.value.count else {
      return "\(state.value.count) lanes for a property of \(present.value.count)"
    }
    return nil
  }
}
