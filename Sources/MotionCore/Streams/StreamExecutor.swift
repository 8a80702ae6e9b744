public import MotionModel
import MotionStreams

/// An executor made of streams: a function that says, for each plan, which streams are written to which properties.
///
///     let sway = StreamExecutor.declaration("Sway", [swayDescription]) { plan in
///       let start: Moving<Double> = try plan.start(of: "rotation")
///       let swing = frameSource(plan.clock)._map(Metadata("swing")) { start.value + sin($0.time) }
///       try plan.write(swing, to: "rotation")
///     }
///
/// It is the bridge between streams and runtimes (design §5). A stream's states are the start and end of remote execution;
/// its values are what is written, with the velocities that it says or that follow from its values. A stream is
/// unsubscribed when another writer takes its property, and subscribed to again when that is given back; sources that read
/// their start at subscription (``StreamPlan/start(of:)``) go on from there. Frames are asked for as long as any stream
/// listens to the plan's clock.
///
/// A one-shot is finished when its streams have been at work and all rest. On one property a later one-shot displaces an
/// earlier one. An executor that is to be declared by its type is a ``StreamExecutorDeclaring``.
public final class StreamExecutor: NamedExecutor, UpdatingExecutor, YieldingExecutor, ReadingExecutor, InputExecutor,
  StreamingExecutor
{
  private let context: ExecutorContext
  private let kinds: [IntentionType: IntentionKind]
  private let connect: (StreamPlan) throws -> Void
  private let clock = ManualFrameClock()
  private var plans: [StreamPlan] = []

  /// Declares executors of `type` that connect the streams of each plan by `connect`; what it throws refuses the plan.
  public static func declaration(
    _ type: ExecutorType, _ descriptions: [IntentionDescription], connect: @escaping (StreamPlan) throws -> Void
  ) -> ExecutorDeclaration {
    let kinds = Dictionary(descriptions.map { ($0.type, $0.kind) }) { first, _ in first }
    return ExecutorDeclaration(type: type, descriptions: descriptions, acceptsNames: true) { _, context in
      StreamExecutor(context: context, kinds: kinds, connect: connect)
    }
  }

  init(
    context: ExecutorContext, kinds: [IntentionType: IntentionKind], connect: @escaping (StreamPlan) throws -> Void
  ) {
    self.context = context
    self.kinds = kinds
    self.connect = connect
  }

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
    let kind = kinds[planned.intention.type] ?? .standing
    wake(at: planned.startTime)
    let plan = StreamPlan(planned, named: name, kind: kind, context: context, clock: clock)
    try connect(plan)
    plans.append(plan)
    if kind == .oneShot { displaceOneShots(like: plan) }
    plan.onEnd = { [weak self, unowned plan] in self?.finish(plan) }
    plan.open()
  }

  /// A clock that nobody listened to has stood since: what begins now begins now.
  private func wake(at time: Double) {
    guard !clock.isWanted, time > clock.time else { return }
    clock.set(Frame(number: clock.frame.number, time: time, dt: 0))
  }

  private func displaceOneShots(like plan: StreamPlan) {
    let earlier = plans.filter {
      $0 !== plan && $0.kind == .oneShot && !$0.properties.isDisjoint(with: plan.properties)
    }
    for other in earlier {
      drop { $0 === other }
      context.finish(other.identity, .displaced)
    }
  }

  private func finish(_ plan: StreamPlan) {
    guard plans.contains(where: { $0 === plan }) else { return }
    drop { $0 === plan }
    context.finish(plan.identity)
  }

  private func drop(where isGone: (StreamPlan) -> Bool) {
    let gone = plans.filter(isGone)
    plans.removeAll(where: isGone)
    for plan in gone { plan.close() }
  }

  /// The streams of a plan.
  public func streams(of identity: IntentionIdentity) -> [StreamDescription] {
    plans.first { $0.identity == identity }?.descriptions ?? []
  }

  // MARK: What happens to it

  /// Lets the streams have the frame.
  public func update(_ frame: Frame) -> Bool {
    clock.run(frame)
    return clock.isWanted
  }

  /// Unsubscribes what is written to the property; a one-shot on it is over.
  public func displaced(_ property: PropertyName) {
    drop { $0.kind == .oneShot && $0.properties.contains(property) }
    for plan in plans { plan.close(property) }
  }

  /// Subscribes again to what is written to the property.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    wake(at: time)
    for plan in plans { plan.resume(property, from: state) }
  }

  /// Hands the state of a property to the plans that read it.
  public func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    for plan in plans { plan.notice(property, state) }
  }

  /// Hands what pointers did to the plans that listen to them.
  public func receive(_ input: PointerInput) {
    for event in input.events {
      for plan in plans { plan.pointers.next(event) }
    }
  }
}
