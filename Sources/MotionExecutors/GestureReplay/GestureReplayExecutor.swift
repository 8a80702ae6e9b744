public import MotionCore
public import MotionModel

/// Stands in for a hand: fulfils `Draggable`, `Pinchable` and `Rotatable` by replaying a recorded touch, once each.
///
/// The touch begins when the intention's time does. While it lasts, the executor holds the token `drag`, `pinch` or
/// `rotate` and moves the property relative to where it was when the hand took hold of it, with the hand's velocity. On
/// release it lets the property go with that velocity, and the intention stays, idle.
///
/// A property other than the gesture's own (`position`, `scale`, `rotation`) makes a token of its own, `drag.offset`. On
/// one property the latest gesture replays. When another writer takes the property the hand goes on unseen; given back,
/// the property is moved on from where it is then.
public final class GestureReplayExecutor: NamedExecutor, UpdatingExecutor, YieldingExecutor {
  /// `Gesture`
  public static let type: ExecutorType = "Gesture"
  /// The types of intentions that it fulfils.
  public static let descriptions = [
    DraggableIntention.description, PinchableIntention.description, RotatableIntention.description,
  ]

  private let context: ExecutorContext
  private let tracks: GestureTracks
  /// At most one for each property, in the order in which they were added; a touch that is over is gone.
  private var replays: [GestureReplay] = []

  /// Declares executors that replay `trace`.
  public static func declaration(replaying trace: PointerTrace) -> ExecutorDeclaration {
    let tracks = GestureTracks(trace)
    return ExecutorDeclaration(type: type, descriptions: descriptions, acceptsNames: true) { _, context in
      GestureReplayExecutor(context: context, tracks: tracks)
    }
  }

  init(context: ExecutorContext, tracks: GestureTracks) {
    self.context = context
    self.tracks = tracks
  }

  /// Begins to replay the touch on the intention's property.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or the property has not the lanes of the gesture.
  public func add(_ planned: PlannedIntention) throws { try add(planned, as: nil) }

  /// Begins to replay the touch under a name; see ``add(_:)``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, as: name) }

  /// Lifts the hand; the property stays where it is.
  public func remove(_ identity: IntentionIdentity) {
    drop { $0.identity == identity }
  }

  /// Lifts the hand of that name; the property stays where it is.
  public func remove(named name: IntentionName) {
    drop { $0.name == name }
  }

  /// Moves what the hand holds to where it is at the frame's time, and lets go at the touch's end.
  public func update(_ frame: Frame) -> Bool {
    // By identity: what is said here may lead to calls of this executor before it returns.
    for identity in replays.map(\.identity) { move(identity, in: frame) }
    return !replays.isEmpty
  }

  /// Falls silent on `property`, while the hand goes on.
  public func displaced(_ property: PropertyName) {
    for index in replays.indices where replays[index].property == property { replays[index].isDisplaced = true }
  }

  /// Goes on with the hand's movement from `state`.
  public func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    for index in replays.indices where replays[index].property == property {
      replays[index].isDisplaced = false
      replays[index].goOn(from: state, at: time)
    }
  }

  private func add(_ planned: PlannedIntention, as name: IntentionName?) throws {
    guard let replay = try GestureReplay(planned, named: name, tracks) else { return }
    drop { $0.property == replay.property }
    replays.append(replay)
  }

  private func move(_ identity: IntentionIdentity, in frame: Frame) {
    guard let index = replays.firstIndex(where: { $0.identity == identity }) else { return }
    if replays[index].isOver(before: frame) { return drop { $0.identity == identity } }
    guard replays[index].begins(before: frame.time) else { return }
    if !replays[index].holds {
      replays[index].takeHold(of: context.state(of: replays[index].property))
      context.remoteExecutionWillStart(replays[index].token, moving: [replays[index].property])
    }
    guard let replay = replays.first(where: { $0.identity == identity }) else { return }
    if !replay.isDisplaced { context.write(replay.property, replay.state(at: frame.time), imposing: .velocity) }
    if replay.ends(before: frame.time) { drop { $0.identity == identity } }
  }

  /// Takes replays away and lifts their hands.
  private func drop(where isDropped: (GestureReplay) -> Bool) {
    let dropped = replays.filter(isDropped)
    replays.removeAll(where: isDropped)
    for replay in dropped where replay.holds { context.remoteExecutionDidEnd(replay.token) }
  }
}
