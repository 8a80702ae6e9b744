public import MotionModel
import MotionStreams

/// An executor made of streams: a function connects, for each plan, streams to the properties that they write.
///
///     let sway = StreamExecutor.declaration("Sway", [swayDescription]) { plan in
///       let start: Moving<Double> = try plan.start(of: "rotation")
///       let swing = frameSource(plan.clock)._map(Metadata("swing")) { start.value + sin($0.time) }
///       try plan.write(swing, to: "rotation")
///     }
///
/// It is the bridge between streams and runtimes (design §5):
///
/// - A stream's states are the start and end of remote execution.
/// - A stream's values are written, with velocities that it carries or that are derived from the values.
/// - A stream is unsubscribed when another writer takes its property, and subscribed to again when the property is
///   given back. Sources that read their start at subscription (``StreamPlan/start(of:)->PropertyState``) continue from
///   there.
/// - The executor needs frames as long as any stream subscribes to the plan's clock.
///
/// Of several plans that write a property the latest does, as among executors. Earlier one-shots are displaced. Earlier
/// standing plans wait, and continue from the property's present state when the later plans are gone. A one-shot is
/// finished when its streams have been active and are all at rest. An executor that is to be declared by its type is a
/// ``StreamExecutorDeclaring``.
public final class StreamExecutor: NamedExecutor, UpdatingExecutor, YieldingExecutor, ReadingExecutor, InputExecutor,
  StreamingExecutor
{
  private let context: ExecutorContext
  private let descriptions: [IntentionType: IntentionDescription]
  private let connect: (StreamPlan) throws -> Void
  private let clock = ManualFrameClock()
  private var plans: [StreamPlan] = []
  private var pointers = PointerNumbers()
  /// The properties that another executor moves.
  private var displaced: Set<PropertyName> = []
  /// The properties with which a waiting plan is to continue in the next frame.
  private var owed: [PropertyName] = []

  /// Declares executors of `type` that connect the streams of each plan by `connect`; an error that it throws refuses
  /// the plan.
  public static func declaration(
    _ type: ExecutorType, _ descriptions: [IntentionDescription], connect: @escaping (StreamPlan) throws -> Void
  ) -> ExecutorDeclaration {
    let byType = Dictionary(descriptions.map { ($0.type, $0) }) { first, _ in first }
    return ExecutorDeclaration(type: type, descriptions: descriptions, acceptsNames: true) { _, context in
      StreamExecutor(context: context, descriptions: byType, connect: connect)
    }
  }

  init(
    context: ExecutorContext, descriptions: [IntentionType: IntentionDescription],
    connect: @escaping (StreamPlan) throws -> Void
  ) {
    self.context = context
    self.descriptions = descriptions
    self.connect = connect
  }

  // Streams may own the plan that owns them.
  deinit { for plan in plans { plan.close() } }

  // MARK: Plans

  /// Connects the streams of a plan.
  public func add(_ planned: PlannedIntention) throws { try add(planned, as: nil) }

  /// Connects the streams of a plan, under a name.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, as: name) }

  /// Disconnects the streams of a plan; the properties stay where they are.
  public func remove(_ identity: IntentionIdentity) { drop { $0.identity == identity } }

  /// Disconnects the streams of the plan of that name.
  public func remove(named name: IntentionName) { drop { $0.name == name } }

  private func add(_ planned: PlannedIntention, as name: IntentionName?) throws {
    let kind = descriptions[planned.intention.type]?.kind(of: planned.intention) ?? .standing
    wake(at: planned.startTime)
    let plan = StreamPlan(planned, named: name, kind: kind, context: context, clock: clock)
    do {
      try connect(plan)
    } catch {
      // The streams that it has connected before the error may own it.
      plan.close()
      throw error
    }
    plans.append(plan)
    if kind != .manipulation { takeOver(for: plan) }
    plan.onEnd = { [weak self, unowned plan] in self?.finish(plan) }
    plan.mayHold = { [weak self, unowned plan] token in self?.isLatest(plan, toHoldBy: token) ?? false }
    plan.open()
  }

  /// Advances a clock without subscribers, which has stood since its last frame, so that a plan that begins now begins
  /// at the present time.
  private func wake(at time: Double) {
    guard !clock.isWanted, time > clock.time else { return }
    clock.set(Frame(number: clock.frame.number, time: time, dt: 0))
  }

  /// Stops the other plans that write the same properties: one-shots for good.
  private func takeOver(for plan: StreamPlan) {
    displaced.subtract(plan.properties)
    for other in plans where other !== plan && other.kind != .manipulation {
      let shared = other.properties.filter(plan.properties.contains)
      guard !shared.isEmpty else { continue }
      guard other.kind == .oneShot else {
        for property in shared { other.displace(property) }
        continue
      }
      drop { $0 === other }
      context.finish(other.identity, .displaced)
    }
  }

  /// Lets the latest plan that writes a property continue with it, unless another executor drives it.
  private func giveBack(_ property: PropertyName) {
    guard !displaced.contains(property), let plan = heir(of: property), !plan.moves(property) else { return }
    guard clock.isWanted else { return owed.append(property) }
    if let state = context.state(of: property) { plan.resume(property, from: state) }
  }

  /// Gives back the owed properties: while the clock had no subscribers, it stood, and they could not be given back.
  private func giveBackWhatIsOwed(in frame: Frame) {
    guard !owed.isEmpty else { return }
    wake(at: frame.time - frame.dt)
    for property in owed {
      guard !displaced.contains(property), let plan = heir(of: property), !plan.moves(property) else { continue }
      if let state = context.state(of: property) { plan.resume(property, from: state) }
    }
    owed = []
  }

  private func isLatest(_ plan: StreamPlan, toHoldBy token: TokenName) -> Bool {
    plans.last { $0.holds(by: token) } === plan
  }

  private func heir(of property: PropertyName) -> StreamPlan? {
    plans.last { $0.kind != .manipulation && $0.properties.contains(property) }
  }

  private func finish(_ plan: StreamPlan) {
    guard plans.contains(where: { $0 === plan }) else { return }
    drop { $0 === plan }
    context.finish(plan.identity)
  }

  /// Ends plans; their properties go to the plans that wait for them.
  private func drop(where isGone: (StreamPlan) -> Bool) {
    let gone = plans.filter(isGone)
    plans.removeAll(where: isGone)
    for plan in gone {
      let properties = plan.properties
      plan.close()
      guard plan.kind != .manipulation else { continue }
      for property in properties { giveBack(property) }
    }
  }

  /// The streams of a plan.
  public func streams(of identity: IntentionIdentity) -> [StreamDescription] {
    plans.first { $0.identity == identity }?.descriptions ?? []
  }

  // MARK: What happens to it

  /// Runs the streams of the plans for the frame.
  public func update(_ frame: Frame) -> Bool {
    giveBackWhatIsOwed(in: frame)
    clock.run(frame)
    return clock.isWanted || !owed.isEmpty
  }

  /// Unsubscribes the streams that are written to the property; a one-shot on it ends. A gesture that holds it is still
  /// tracked, and writes nothing.
  public func displaced(_ property: PropertyName) {
    displaced.insert(property)
    drop { $0.kind == .oneShot && $0.properties.contains(property) }
    for plan in plans { plan.displace(property) }
  }

  /// Subscribes again to the streams that are written to the property. A gesture moves it on from `state`.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    displaced.remove(property)
    wake(at: time)
    let heir = heir(of: property)
    for plan in plans where plan.kind == .manipulation || plan === heir { plan.resume(property, from: state) }
  }

  /// Passes the state of a property to the plans that read it.
  public func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    for plan in plans { plan.notice(property, state) }
  }

  /// Passes pointer events to the plans that subscribe to them. Pointers of several devices have different numbers;
  /// events of a pointer that is not down are dropped.
  public func receive(_ input: PointerInput) {
    for event in input.events {
      guard let event = pointers.renumber(event, from: input.device) else { continue }
      for plan in plans { plan.pointers.next(event) }
    }
  }
}
