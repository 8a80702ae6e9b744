public import MotionCore
public import MotionModel
import MotionStreams

/// Fulfils `Draggable`, `Pinchable`, `Rotatable` and `SetPositionOnTap`: properties follow the pointers of a gesture.
///
/// While a gesture is active, the executor holds a token (`drag`, `pinch`, `rotate`; for a property other than the
/// gesture's own, `drag.offset`). It moves the property relative to its position at the start of the gesture, with the
/// velocity of the pointers. On release it writes the last position and velocity and ends the token; the plan that
/// drives the property next continues from that state. A cancelled gesture leaves the property at rest. Between
/// gestures the plan stays, idle.
///
/// On each property the latest plan of a gesture acts. When another writer takes the property, the executor still
/// tracks the gesture but writes nothing. When the property is given back, the gesture moves it on from its position at
/// that time.
///
/// This type is no `StreamExecutor`, whose streams begin and end at the moment in which they send that state. A gesture
/// differs in three ways. It starts from the position of the property when the gesture began. It is evaluated in each
/// frame at that frame's time. It ends one frame after the pointers were lifted, once its last position has been
/// written. These three points are most of this file, and streams would need them as well. The rest, a recogniser and
/// the base that its movement is added to, is the value type `Manipulation`.
public final class GestureExecutor: DeclaredExecutor, NamedExecutor, UpdatingExecutor, YieldingExecutor, InputExecutor {
  /// `Gesture`
  public static let type: ExecutorType = "Gesture"
  /// The types of intentions that the executor fulfils.
  public static let descriptions = [
    DraggableIntention.description, PinchableIntention.description, RotatableIntention.description,
    SetPositionOnTapIntention.description,
  ]

  private let context: ExecutorContext
  /// In the order in which they were added. A target has few, so a linear search suffices.
  private var manipulations: [Manipulation] = []
  private var pointers = PointerNumbers()
  /// The time of the newest event that no frame has followed yet.
  private var newest: Double?
  /// The age of the newest event at the frame that followed it, in seconds: the latency of the path from the device.
  private var lag = 0.0

  /// Creates the executor of a target.
  public init(target: TargetName, context: ExecutorContext) {
    self.context = context
  }

  /// Makes a property follow a gesture.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or if the number of the property's lanes does not suit the gesture.
  public func add(_ planned: PlannedIntention) throws {
    manipulations.append(try Manipulation(planned, named: nil))
  }

  /// Makes a property follow a gesture, under a name; see ``add(_:)``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws {
    manipulations.append(try Manipulation(planned, named: name))
  }

  /// Removes a plan; the property stays where it is.
  public func remove(_ identity: IntentionIdentity) { remove { $0.identity == identity } }

  /// Removes the plan of a name; the property stays where it is.
  public func remove(named name: IntentionName) { remove { $0.name == name } }

  private func remove(where isGone: (Manipulation) -> Bool) {
    guard let index = manipulations.firstIndex(where: isGone) else { return }
    let gone = manipulations.remove(at: index)
    if gone.isHolding || gone.release != nil { context.remoteExecutionDidEnd(gone.token) }
  }

  // MARK: Pointers

  /// Handles pointer events: begins and ends the manipulation of properties.
  public func receive(_ input: PointerInput) {
    for event in input.events {
      newest = max(newest ?? event.time, event.time)
      guard let event = pointers.renumber(event, from: input.device) else { continue }
      // By identity: the calls made here may re-enter this executor before they return.
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
    // Released and grabbed again within one frame: the release is completed first.
    let token = manipulations[index].token
    let hasLetGo = manipulations.contains { $0.token == token && $0.release != nil }
    release { $0.token == token }
    let property = manipulations[index].property
    manipulations[index].takeHold(of: hasLetGo ? context.state(of: property) : state)
    let taken = manipulations[index]
    context.remoteExecutionWillStart(taken.token, moving: [taken.property], from: taken.bases)
  }

  /// Whether no later plan makes the same gesture act on the same property.
  private func isLatest(_ index: Int) -> Bool {
    !manipulations[(index + 1)...].contains { $0.token == manipulations[index].token }
  }

  /// Stores the last position and velocity. They are written with the frame of the release, so that the next driver
  /// continues from there in the frame after it.
  private func letGo(_ identity: IntentionIdentity, at time: Double, standing: Bool) {
    guard let index = manipulations.firstIndex(where: { $0.identity == identity }), manipulations[index].isHolding
    else { return }
    var state = manipulations[index].state(at: time)
    if standing { state.velocity.storage = .zero }
    manipulations[index].isHolding = false
    manipulations[index].release = state
  }

  /// Writes the last position and velocity of the manipulations that were released.
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
    // The gesture determines both the position and the velocity of the property.
    context.write(manipulation.property, state, imposing: [.value, .velocity])
  }

  // MARK: Frames

  /// Writes position and velocity of each held property; pointers that stand still lose their velocity.
  ///
  /// Pointers stand still when no event arrives, not when the newest event happened a while ago. So the velocity is
  /// evaluated at the time up to which events are known.
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

  /// Stops writing `property`, while the gesture is still tracked.
  public func displaced(_ property: PropertyName) {
    for index in manipulations.indices where manipulations[index].property == property {
      manipulations[index].isDisplaced = true
    }
  }

  /// Continues with the gesture's movement from `state`.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    for index in manipulations.indices where manipulations[index].property == property {
      manipulations[index].goOn(from: state)
    }
  }
}
