/// The states of a move at successive times, without a search in most frames.
///
/// The cost of a frame is one polynomial and two comparisons. Any order of times is permitted; a time outside the present
/// segment costs a search.
public struct MoveCursor: Sendable {
  /// The move.
  public let move: TimeOptimalMove

  @usableFromInline var segment: MoveSegment
  @usableFromInline var end: Double

  /// Creates a cursor at the beginning of a move.
  public init(_ move: TimeOptimalMove) {
    self.move = move
    segment = MoveSegment(start: 0, jerk: 0, state: move.from)
    // No time is in this segment, so that the first frame searches.
    end = 0
  }

  /// The state at a time: as ``TimeOptimalMove/state(at:)``.
  @inlinable
  public mutating func state(at time: Double) -> MoveState {
    if time >= segment.start, time < end { return segment.state(at: time) }
    return search(time)
  }

  @usableFromInline
  mutating func search(_ time: Double) -> MoveState {
    let segments = move.segments
    guard time >= 0, time < move.duration, !segments.isEmpty else { return move.state(at: time) }
    var index = segments.count - 1
    while index > 0, segments[index].start > time { index -= 1 }
    segment = segments[index]
    end = index + 1 < segments.count ? segments[index + 1].start : move.duration
    return segment.state(at: time)
  }
}
