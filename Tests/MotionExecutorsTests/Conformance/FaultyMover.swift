import MotionCore
import MotionModel

/// An executor that keeps its contract except for one fault: `Move` goes to 1 in 0.2 s and ends, `Glide` goes on for
/// ever.
final class FaultyMover: NamedExecutor, UpdatingExecutor, YieldingExecutor {
  enum Fault: String, CaseIterable {
    case none, differsEachTime, writesNaN, writesForeign, lags, jumps, ignoresStart, countsFrames, finishesTwice,
      endsInMotion, neverFinishes, finishesStanding, keepsEarlier, keepsToken, removesAnything, writesAfterRemoval,
      activeAfterRemoval, writesWhenDisplaced, keepsItsPlace, keepsRefused, slowUnderName, forgetsName
  }

  static let descriptions = [
    IntentionDescription(
      type: "Move", kind: .oneShot, executor: "Mover",
      fields: [
        FieldDescription("property", .property, required: true, access: .writes, "What moves."),
        FieldDescription("duration", .number, default: .number(0.2), "How long, in seconds."),
      ], documentation: "Moves to 1."),
    IntentionDescription(
      type: "Glide", kind: .standing, executor: "Mover",
      fields: [FieldDescription("property", .property, required: true, access: .writes, "What moves.")],
      documentation: "Moves by 1 in a second, always."),
  ]

  struct Refused: Error {}

  struct Move {
    var identity: IntentionIdentity
    var name: IntentionName?
    var from: Double
    var speed: Double
    var startTime: Double
    var end: Double
    var isDisplaced = false
    var isRemoved = false
    var frames = 0
  }

  /// The number of executors made so far, for the fault of differing.
  nonisolated(unsafe) static var made = 0  // Read and written by one serialised suite.

  let context: ExecutorContext
  let fault: Fault
  var moves: [Move] = []

  static func declaration(_ fault: Fault) -> ExecutorDeclaration {
    ExecutorDeclaration(type: "Mover", descriptions: descriptions, acceptsNames: true) { _, context in
      FaultyMover(context, fault)
    }
  }

  init(_ context: ExecutorContext, _ fault: Fault) {
    self.context = context
    self.fault = fault
    Self.made += 1
  }

  func add(_ planned: PlannedIntention) throws { try add(planned, name: nil) }
  func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, name: name) }

  private func add(_ planned: PlannedIntention, name: IntentionName?) throws {
    var duration = 0.2
    if case .number(let seconds)? = planned.intention["duration"] { duration = seconds }
    guard duration > 0 else {
      if fault == .keepsRefused { moves.removeAll() }
      throw Refused()
    }
    let isGlide = planned.intention.type == "Glide"
    let from = fault == .ignoresStart ? 5 : planned.start(of: "level")?.value[0] ?? 0
    if let earlier = moves.first, fault != .keepsEarlier {
      moves.removeAll()
      if !isGlide { context.finish(earlier.identity, .displaced) }
    }
    var speed = isGlide ? 1 : (1 - from) / duration
    if fault == .differsEachTime { speed += Double(Self.made) / 1000 }
    if fault == .slowUnderName, name != nil { speed /= 2 }
    moves.append(
      Move(
        identity: planned.identity, name: name, from: from, speed: speed, startTime: planned.startTime,
        end: isGlide || fault == .neverFinishes ? .infinity : planned.startTime + duration))
    if fault == .keepsToken { context.remoteExecutionWillStart("move") }
  }

  func remove(_ identity: IntentionIdentity) {
    if fault == .removesAnything { moves.removeAll() }
    remove { $0.identity == identity }
  }

  func remove(named name: IntentionName) {
    if fault != .forgetsName { remove { $0.name == name } }
  }

  private func remove(where isRemoved: (Move) -> Bool) {
    if fault == .writesAfterRemoval || fault == .activeAfterRemoval {
      for index in moves.indices where isRemoved(moves[index]) { moves[index].isRemoved = true }
    } else {
      moves.removeAll(where: isRemoved)
    }
  }

  func update(_ frame: Frame) -> Bool {
    for index in moves.indices { move(&moves[index], in: frame) }
    let ended = moves.filter { $0.end <= frame.time && !$0.isRemoved }
    moves.removeAll { $0.end <= frame.time }
    for move in ended {
      context.finish(move.identity)
      if fault == .finishesTwice { context.finish(move.identity) }
    }
    return !moves.isEmpty
  }

  private func move(_ move: inout Move, in frame: Frame) {
    guard !move.isDisplaced, !(move.isRemoved && fault == .activeAfterRemoval) else { return }
    move.frames += 1
    var elapsed = frame.time - move.startTime
    if fault == .countsFrames { elapsed = Double(move.frames) / 512 }
    let isOver = move.end <= frame.time
    if fault == .finishesStanding, move.frames == 50 { context.finish(move.identity) }
    var value = isOver ? 1 : move.from + move.speed * elapsed
    if fault == .jumps, move.frames > 20 { value += 3 }
    if fault == .writesNaN, move.frames == 10 { value = .nan }
    let velocity = isOver && fault != .endsInMotion ? 0 : fault == .lags ? move.speed / 2 : move.speed
    context.write("level", PropertyState(Lanes(value), velocity: Lanes(velocity)))
    if fault == .writesForeign { context.write("other", PropertyState(0)) }
  }

  func displaced(_ property: PropertyName) {
    guard fault != .writesWhenDisplaced else { return }
    moves.removeAll { $0.end < .infinity }
    for index in moves.indices { moves[index].isDisplaced = true }
  }

  func resumed(_ property: PropertyName, from state: PropertyState, at time: Double) {
    for index in moves.indices {
      moves[index].isDisplaced = false
      guard fault != .keepsItsPlace else { continue }
      moves[index].from = state.value[0]
      moves[index].startTime = time
    }
  }
}
