public import MotionModel
public import MotionStreams

/// A plan to be fulfilled by streams: what it says, and where they go.
public final class StreamPlan {
  /// Which plan.
  public let identity: IntentionIdentity
  /// The name it was added under.
  public let name: IntentionName?
  /// Its type and fields.
  public let intention: Intention
  /// The frames that its streams may listen to.
  public let clock: any FrameClock
  /// What pointers do on the target, while the plan is a manipulation.
  public let pointers = MotionSubject<PointerEvent>(Metadata("pointers"))

  let kind: IntentionKind
  /// Told when a one-shot's streams have been at work and all rest.
  var onEnd: () -> Void = {}
  private let context: ExecutorContext
  private var starts: [PropertyName: PropertyState]
  private var bindings: [StreamBinding] = []
  private var readers: [PropertyReference: MotionSubject<PropertyState>] = [:]
  private var isOpen = false

  init(
    _ planned: PlannedIntention, named name: IntentionName?, kind: IntentionKind, context: ExecutorContext,
    clock: any FrameClock
  ) {
    identity = planned.identity
    self.name = name
    intention = planned.intention
    self.kind = kind
    self.context = context
    self.clock = clock
    starts = Dictionary(planned.starts.map { ($0.property, $0.state) }) { first, _ in first }
  }

  // MARK: For the author

  /// Where a property was when the plan began, or when it was given back last.
  ///
  /// - Throws: `Refusal` if the plan does not write it, or it has other lanes.
  public func start<Value: MotionValue>(of property: PropertyName) throws -> Moving<Value> {
    guard let state = starts[property] else {
      throw Refusal(.fields, "\(intention.type) does not write \(property)", remedy: "Describe it as written.")
    }
    guard let moving = Moving<Value>(state) else {
      throw Refusal(
        .lanes, field: "property", "\(property) has \(state.value.count) lanes, not \(Value.laneCount)",
        remedy: "Name a property of \(Value.laneCount).")
    }
    return moving
  }

  /// Where a property is now: of this target, or of any that the plan refers to.
  public func state(of reference: PropertyReference) -> PropertyState? { context.state(of: reference) }

  /// Every state of a property that the plan reads, from the present one on. Its description has to say that it is read.
  public func read<Value: MotionValue>(_ reference: PropertyReference) -> MotionObservable<Moving<Value>> {
    let subject = readers[reference] ?? MotionSubject(Metadata("\(reference)"))
    if readers[reference] == nil, let present = context.state(of: reference) { subject.next(present) }
    readers[reference] = subject
    return subject.stream._nextOperator(Metadata("\(reference)")) { next in
      { state in
        if let moving = Moving<Value>(state) { next(moving) }
      }
    }
  }

  /// Writes a stream to a property, with velocities that follow from its values: exact for what moves evenly, half a frame
  /// late for what does not.
  public func write<Value: MotionValue>(
    _ stream: MotionObservable<Value>, to property: PropertyName, imposing: Imposed = []
  ) throws {
    let clock = clock
    try write(
      stream._nextOperator(stream.metadata) { next in
        var last: (value: Value, time: Double, velocity: Value)?
        return { value in
          var velocity = last?.velocity ?? .zero
          if let last, clock.time > last.time { velocity = (value - last.value) * (1 / (clock.time - last.time)) }
          last = (value, clock.time, velocity)
          next(Moving(value, velocity: velocity))
        }
      }, to: property, imposing: imposing)
  }

  /// Writes a stream that knows its velocities to a property.
  public func write<Value: MotionValue>(
    _ stream: MotionObservable<Moving<Value>>, to property: PropertyName, imposing: Imposed = []
  ) throws {
    let _: Moving<Value> = try start(of: property)
    let token = TokenName(stringLiteral: "\(property) \(identity)")
    bindings.append(
      StreamBinding(property: property, token: token, metadata: stream.metadata) { [context] state in
        stream.subscribe(next: { context.write(property, $0.state, imposing: imposing) }, state: state)
      })
  }

  /// Emits another plan on the target; see ``ExecutorContext/emit(_:named:from:ordinal:)-(Intention,_,_,_)``.
  public func emit(_ intention: Intention, ordinal: UInt32) {
    context.emit(intention, from: identity, ordinal: ordinal)
  }

  /// What is connected, as text: for inspection.
  public var metadata: [Metadata] { bindings.map(\.metadata) }

  /// What is connected, and where it goes: for inspection in other processes.
  public var descriptions: [StreamDescription] {
    bindings.map { StreamDescription($0.property, calls: $0.metadata.calls.map(\.text)) }
  }

  // MARK: For the executor

  var properties: Set<PropertyName> { Set(bindings.map(\.property)) }

  func open() {
    isOpen = true
    for binding in bindings { open(binding) }
  }

  func close() {
    isOpen = false
    for binding in bindings { binding.close(context) }
  }

  func close(_ property: PropertyName) {
    for binding in bindings where binding.property == property { binding.close(context) }
  }

  func resume(_ property: PropertyName, from state: PropertyState) {
    guard starts[property] != nil else { return }
    starts[property] = state
    for binding in bindings where binding.property == property && !binding.isOpen { open(binding) }
  }

  func notice(_ reference: PropertyReference, _ state: PropertyState?) {
    if let state { readers[reference]?.next(state) }
  }

  private func open(_ binding: StreamBinding) {
    binding.open(context) { [weak self] in self?.settle() }
  }

  private func settle() {
    guard isOpen, kind == .oneShot, bindings.allSatisfy({ $0.wasActive && !$0.isActive }) else { return }
    onEnd()
  }
}

/// A stream that is written to a property.
final class StreamBinding {
  let property: PropertyName
  let metadata: Metadata
  private(set) var isActive = false
  private(set) var wasActive = false
  private let token: TokenName
  private let subscribe: (@escaping (MotionState) -> Void) -> Subscription
  private var subscription: Subscription?

  init(
    property: PropertyName, token: TokenName, metadata: Metadata,
    subscribe: @escaping (@escaping (MotionState) -> Void) -> Subscription
  ) {
    self.property = property
    self.token = token
    self.metadata = metadata
    self.subscribe = subscribe
  }

  var isOpen: Bool { subscription != nil }

  func open(_ context: ExecutorContext, onRest: @escaping () -> Void) {
    subscription = subscribe { [unowned self] state in
      guard (state == .active) != isActive else { return }
      isActive = state == .active
      if isActive {
        wasActive = true
        context.remoteExecutionWillStart(token, moving: [property])
      } else {
        context.remoteExecutionDidEnd(token)
        onRest()
      }
    }
  }

  func close(_ context: ExecutorContext) {
    subscription?.unsubscribe()
    subscription = nil
    guard isActive else { return }
    isActive = false
    context.remoteExecutionDidEnd(token)
  }
}

extension Moving {
  /// The state of a property, if it has as many lanes.
  init?(_ state: PropertyState) {
    guard state.value.count == Value.laneCount else { return nil }
    self.init(Value(lanes: state.value.storage), velocity: Value(lanes: state.velocity.storage))
  }

  /// As the state of a property.
  var state: PropertyState {
    PropertyState(
      Lanes(value.lanes, count: Value.laneCount), velocity: Lanes(velocity.lanes, count: Value.laneCount))
  }
}
