public import MotionCore
public import MotionModel
import MotionStreams

/// Fulfils `Draggable`, `Pinchable`, `Rotatable` and `SetPositionOnTap`: lets properties follow a hand.
///
/// While a gesture goes on it holds a token (`drag`, `pinch`, `rotate`; of another property than the gesture's own,
/// `drag.offset`) and moves the property relative to where it was when the hand took hold of it, with the hand's
/// velocity. On release it says the last place and velocity and lets go: what pulls the property goes on from there. A
/// cancelled gesture leaves it standing. Between gestures the plan stays, idle.
///
/// On one property the latest plan of a gesture acts. When another writer takes the property the hand goes on unseen;
/// given back, the property is moved on from where it is then.
///
/// It is no `StreamExecutor`, whose streams begin and end in the moment in which they say so: a hand holds from where it saw
/// the property, is heard in each frame at that frame's time, and lets go a frame after it was lifted, once its last place
/// has been said. These three are most of what stands here, and would have to be said to streams as well; what is left, a
/// recogniser and what its movement is laid over, is the value type `Manipulation`.
public final class GestureExecutor: DeclaredExecutor, NamedExecutor, UpdatingExecutor, YieldingExecutor, InputExecutor {
  /// `Gesture`
  public static let type: ExecutorType = "Gesture"
  /// The types of intentions that it fulfils.
  public static let descriptions = [
    DraggableIntention.description, PinchableIntention.description, RotatableIntention.description,
    SetPositionOnTapIntention.description,
  ]

  private let context: ExecutorContext
  /// In the order in which they were added. A target has few, so they are searched one by one.
  private var manipulations: [Manipulation] = []
  private var pointers = PointerNumbers()
  /// When the newest event happened that no frame has followed yet.
  private var newest: Double?
  /// How long before a frame what was last heard of a hand had happened, in seconds: the way from its device takes that.
  private var lag = 0.0

  /// Makes the executor of a target.
  public init(target: TargetName, context: ExecutorContext) {
    self.context = context
  }

  /// Lets a property follow the hand.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or the property has not the lanes of the gesture.
  public func add(_ planned: PlannedIntention) throws {
    manipulations.append(try Manipulation(planned, named: nil))
  }

  /// Lets a property follow the hand, under a name; see ``add(_:)``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws {
    manipulations.append(try Manipulation(planned, named: name))
  }

  /// Takes the hand off; the property stays where it is.
  public func remove(_ identity: IntentionIdentity) { remove { $0.identity == identity } }

  /// Takes the hand off; the property stays where it is.
  public func remove(named name: IntentionName) { remove { $0.name == name } }

  private func remove(where isGone: (Manipulation) -> Bool) {
    guard let index = manipulations.firstIndex(where: isGone) else { return }
    let gone = manipulations.remove(at: index)
    if gone.isHolding || gone.release != nil { context.remoteExecutionDidEnd(gone.token) }
  }

  // MARK: The hand

  /// Follows the pointers: takes hold of properties, and lets them go.
  public func receive(_ input: PointerInput) {
    for event in input.events {
      newest = max(newest ?? event.time, event.time)
      guard let event = pointers.renumber(event, from: input.device) else { continue }
      // By identity: what is said here may lead to calls of this executor before it returns.
      for identity in manipulations.map(\.identity) { handle(event, by: identity) }
    }
  }

  private func handle(_ event: PointerEvent, by identity: IntentionIdentity) {
    guard let index = manipulations.firstIndex(where: { $0.identity == identity }) else { return }
    let state = context.state(of: manipulations[index].property)
    switch manipulations[index].handle(event, over: state) {
    case .began where isLatest(index): takeHold(index, of: state)
    case .recognized where isLatest(index):
      takeHold(index, of: state)
      letGo(identity, at: event.time, standing: true)
    case .ended: letGo(identity, at: event.time, standing: false)
    case .cancelled: letGo(identity, at: event.time, standing: true)
    default: break
    }
  }

  private func takeHold(_ index: Int, of state: PropertyState?) {
    // Let go and taken again within a frame: one after the other.
    let token = manipulations[index].token
    let hasLetGo = manipulations.contains { $0.token == token && $0.release != nil }
    release { $0.token == token }
    let property = manipulations[index].property
    manipulations[index].takeHold(of: hasLetGo ? context.state(of: property) : state)
    let taken = manipulations[index]
    context.remoteExecutionWillStart(taken.token, moving: [taken.property], from: taken.bases)
  }

  /// Whether no later plan lets the same gesture act on the same property.
  private func isLatest(_ index: Int) -> Bool {
    !manipulations[(index + 1)...].contains { $0.token == manipulations[index].token }
  }

  /// Notes the last place and velocity. It is said with the frame in which the hand lets go, so that what takes over goes
  /// on from there in the next.
  private func letGo(_ identity: IntentionIdentity, at time: Double, standing: Bool) {
    guard let index = manipulations.firstIndex(where: { $0.identity == identity }), manipulations[index].isHolding
    else { return }
    var state = manipulations[index].state(at: time)
    if standing { state.velocity.storage = .zero }
    manipulations[index].isHolding = false
    manipulations[index].release = state
  }

  /// Says the last place and velocity of those that have let go.
  private func release(where isMeant: (Manipulation) -> Bool = { _ in true }) {
    for identity in manipulations.filter({ $0.release != nil && isMeant($0) }).map(\.identity) {
      guard let index = manipulations.firstIndex(where: { $0.identity == identity }),
        let state = manipulations[index].release
      else { continue }
      manipulations[index].release = nil
      let released = manipulations[index]
      if !released.isDisplaced { write(state, of: released) }
      context.remoteExecutionDidEnd(released.token)
    }
  }

  private func write(_ state: PropertyState, of manipulation: Manipulation) {
    // Where the property is, is the hand's to say, and how fast.
    context.write(manipulation.property, state, imposing: [.value, .velocity])
  }

  // MARK: Frames

  /// Says where the hand has what it holds, and how fast it is: a hand that stands still loses its velocity.
  ///
  /// A hand stands still if nothing is heard of it, not if what is heard happened a while ago: its velocity is that of the time
  /// up to which it is known.
  public func update(_ frame: Frame) -> Bool {
    if let newest { lag = max(0, frame.time - newest) }
    newest = nil
    release()
    var isMoving = false
    for manipulation in manipulations where manipulation.isHolding && !manipulation.isDisplaced {
      let state = manipulation.state(at: frame.time - lag)
      write(state, of: manipulation)
      isMoving = isMoving || state.velocity.storage != .zero
    }
    return isMoving
  }

  /// Falls silent on `property`, while the hand goes on.
  public func displaced(_ property: PropertyName) {
    for index in manipulations.indices where manipulations[index].property == property {
      manipulations[index].isDisplaced = true
    }
  }

  /// Goes on with the hand's movement from `state`.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    for index in manipulations.indices where manipulations[index].property == property {
      manipulations[index].goOn(from: state)
    }
  }
}
