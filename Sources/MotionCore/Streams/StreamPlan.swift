public import MotionModel
public import MotionStreams

/// A plan that streams fulfil: its intention, and the properties to which its streams are written.
public final class StreamPlan {
  /// The plan's identity.
  public let identity: IntentionIdentity
  /// The name it was added under.
  public let name: IntentionName?
  /// Its type and fields.
  public let intention: Intention
  /// The simulated time at which it began, in seconds: in the past, if a worker restarts in the middle of it.
  public let startTime: Double
  /// The frames to which its streams may subscribe.
  public var clock: any FrameClock { frames }
  /// The frame under way, or the last one that its clock wanted.
  public var frame: Frame { frames.frame }
  /// The pointer events of the target, while the plan is a manipulation.
  public let pointers = MotionSubject<PointerEvent>(Metadata("pointers"))

  let kind: IntentionKind
  /// Called when the streams of a one-shot have been active and are all at rest.
  var onEnd: () -> Void = {}
  /// Whether no later plan holds a property by this token.
  var mayHold: (TokenName) -> Bool = { _ in true }
  private let frames: ManualFrameClock
  let context: ExecutorContext
  /// The states from which its properties began, and when they were last given back, in seconds.
  private var starts: [PropertyName: (state: PropertyState, returned: Double?)]
  var bindings: [StreamBinding] = []
  private var readers: [PropertyReference: MotionSubject<PropertyState>] = [:]
  var inputs: [Subscription] = []
  private var isOpen = false

  init(
    _ planned: PlannedIntention, named name: IntentionName?, kind: IntentionKind, context: ExecutorContext,
    clock: ManualFrameClock
  ) {
    identity = planned.identity
    startTime = planned.startTime
    self.name = name
    intention = planned.intention
    self.kind = kind
    self.context = context
    frames = clock
    starts = Dictionary(planned.starts.map { ($0.property, ($0.state, nil)) }) { first, _ in first }
  }

  // MARK: For the author

  /// The state of a property when the plan began, or when the property was last given back.
  ///
  /// - Throws: `Refusal` if the plan does not write it, or it has other lanes.
  public func start<Value: MotionValue>(of property: PropertyName) throws -> Moving<Value> {
    let state: PropertyState = try start(of: property)
    guard let moving = Moving<Value>(state) else {
      throw Refusal(
        .lanes, field: "property", "\(property) has \(state.value.count) lanes, not \(Value.laneCount)",
        remedy: "Name a property of \(Value.laneCount).")
    }
    return moving
  }

  /// The state of a property of any number of lanes when the plan began, or when the property was last given back.
  ///
  /// - Throws: `Refusal` if the plan does not write it.
  public func start(of property: PropertyName) throws -> PropertyState {
    guard let state = starts[property]?.state else {
      throw Refusal(.fields, "\(intention.type) does not write \(property)", remedy: "Describe it as written.")
    }
    return state
  }

  /// The state of a property when it was last given back, and the simulated time of that, in seconds; `nil` if it never
  /// was. A stream that is a function of time lets the difference to that state fade.
  public func returned(of property: PropertyName) -> (state: PropertyState, time: Double)? {
    starts[property].flatMap { start in start.returned.map { (start.state, $0) } }
  }

  /// The present state of a property: of this target, or of any to which the plan refers.
  public func state(of reference: PropertyReference) -> PropertyState? { context.state(of: reference) }

  /// The present state of a property of the plan's own target; see ``state(of:)-(PropertyReference)``.
  public func state(of property: PropertyName) -> PropertyState? { context.state(of: property) }

  /// Every state of a property that the plan reads, from the present one on. The plan's description has to declare it
  /// as read.
  public func read<Value: MotionValue>(_ reference: PropertyReference) -> MotionObservable<Moving<Value>> {
    let subject = readers[reference] ?? MotionSubject(Metadata("\(reference)"))
    if readers[reference] == nil, let present = context.state(of: reference) { subject.next(present) }
    readers[reference] = subject
    return subject.asStream()._nextOperator(Metadata("\(reference)")) { next in
      { state in
        if let moving = Moving<Value>(state) { next(moving) }
      }
    }
  }

  /// Every state of a property of the plan's own target; see ``read(_:)-(PropertyReference)``.
  public func read<Value: MotionValue>(of property: PropertyName) -> MotionObservable<Moving<Value>> {
    read(PropertyReference(context.target, property))
  }

  /// Writes a stream to a property, with velocities that are derived from its values. They are exact for even motion,
  /// and half a frame late for other motion.
  ///
  /// A property in motion continues from its present state: the difference from the stream, except what the stream
  /// imposes, fades within 150 ms. A property at rest takes the stream's values.
  public func write<Value: MotionValue>(
    _ stream: MotionObservable<Value>, to property: PropertyName, imposing: Imposed = []
  ) throws {
    let clock = clock
    let _: Moving<Value> = try start(of: property)
    let estimated = stream._nextOperator(stream.metadata) { (next: @escaping (Said) -> Void) in
      var last: (value: Value, time: Double, velocity: Value?)?
      return { (value: Value) in
        var velocity = last?.velocity
        if let last, clock.time > last.time { velocity = (value - last.value) * (1 / (clock.time - last.time)) }
        last = (value, clock.time, velocity)
        next(Said(state: Moving(value, velocity: velocity ?? .zero).state, knowsVelocity: velocity != nil))
      }
    }
    try write(continued(estimated, on: property, imposing: imposing), to: property)
  }

  /// Writes a stream with velocities to a property; a property in motion continues from its present state.
  public func write<Value: MotionValue>(
    _ stream: MotionObservable<Moving<Value>>, to property: PropertyName, imposing: Imposed = []
  ) throws {
    let _: Moving<Value> = try start(of: property)
    let said = stream._map(stream.metadata) { Said(state: $0.state, knowsVelocity: true) }
    try write(continued(said, on: property, imposing: imposing), to: property)
  }

  /// Writes a stream that carries its own imposed parts, times and lanes, however many.
  ///
  /// - Parameters:
  ///   - stream: the states to write, as they are: nothing is blended here.
  ///   - property: the property to write.
  ///   - activity: what keeps the runtime awake for it. A stream that is active exactly while it subscribes to the
  ///     plan's clock needs no token.
  public func write(
    _ stream: MotionObservable<StreamWrite>, to property: PropertyName, activity: StreamActivity = .states
  ) throws {
    let _: PropertyState = try start(of: property)
    let token = activity == .states ? TokenName(stringLiteral: "\(property) \(identity)") : nil
    bindings.append(StreamBinding(stream, to: property, token: token))
  }

  /// Emits another plan on the target; see ``ExecutorContext/emit(_:named:from:ordinal:)-(Intention,_,_,_)``.
  public func emit(_ intention: Intention, ordinal: UInt32) {
    context.emit(intention, from: identity, ordinal: ordinal)
  }

  /// The connected streams as text: for inspection.
  public var metadata: [Metadata] { bindings.map(\.metadata) }

  /// The connected streams and the properties to which they are written: for inspection in other processes.
  public var descriptions: [StreamDescription] {
    var written = bindings.map(\.property).makeIterator()
    return StreamChains(metadata).chains.compactMap { chain in
      let argument = chain.argumentOf.map { StreamDescription.Goal.argument(of: .init($0)) }
      guard let goal = argument ?? written.next().map(StreamDescription.Goal.property) else { return nil }
      return StreamDescription(goal, following: chain.follows.map { .init($0) }, calls: chain.calls)
    }
  }

  // MARK: For the executor

  /// The properties that it writes, in the order of its writes.
  var properties: [PropertyName] { bindings.map(\.property) }

  /// Whether a stream of the plan holds a property by this token.
  func holds(by token: TokenName) -> Bool { bindings.contains { $0.hold != nil && $0.token == token } }

  /// Whether its streams are connected to the property.
  func moves(_ property: PropertyName) -> Bool { bindings.contains { $0.property == property && $0.isOpen } }

  func open() {
    isOpen = true
    for binding in bindings { binding.open(self) }
  }

  /// Ends the plan and releases its streams, which may own it.
  func close() {
    isOpen = false
    for binding in bindings { binding.close(context) }
    (bindings, inputs, readers) = ([], [], [:])
    (onEnd, mayHold) = ({}, { _ in true })
  }

  func displace(_ property: PropertyName) {
    for binding in bindings where binding.property == property { binding.displace(context) }
  }

  func resume(_ property: PropertyName, from state: PropertyState) {
    guard isOpen, let start = starts[property] else { return }
    let isWhereItWas = start.state == state
    starts[property]?.state = state
    for binding in bindings
    where binding.property == property && (binding.hold != nil || !(binding.isOpen && isWhereItWas)) {
      if !binding.isOpen { starts[property]?.returned = frames.time }
      binding.reopen(self)
    }
  }

  func notice(_ reference: PropertyReference, _ state: PropertyState?) {
    if let state { readers[reference]?.next(state) }
  }

  func settle() {
    guard isOpen, kind == .oneShot, bindings.allSatisfy({ $0.wasActive && !$0.isActive }) else { return }
    onEnd()
  }
}

extension StreamDescription.Place {
  fileprivate init(_ place: StreamChains.Place) { self.init(stream: place.chain, call: place.call) }
}

extension Moving {
  /// The state of a property, if it has as many lanes.
  init?(_ state: PropertyState) {
    guard state.value.count == Value.laneCount else { return nil }
    self.init(Value(lanes: state.value.storage), velocity: Value(lanes: state.velocity.storage))
  }

  /// The state of a property with these lanes.
  var state: PropertyState {
    PropertyState(
      Lanes(value.lanes, count: Value.laneCount), velocity: Lanes(velocity.lanes, count: Value.laneCount))
  }
}
