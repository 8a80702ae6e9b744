/// The state channel of several streams that are combined: active as long as one of them is.
///
/// States are passed on as they arrive, except that the rest of one stream is dropped while another is active: an
/// observer would take it for the rest of the whole. A set and not a count, since sources may repeat their states.
@usableFromInline
final class StateUnion {
  private var active: Set<Int> = []
  private let state: (MotionState) -> Void

  @usableFromInline init(_ state: @escaping (MotionState) -> Void) { self.state = state }

  /// The receiver of the states of the stream with number `index`.
  @usableFromInline func channel(_ index: Int) -> (MotionState) -> Void {
    { [self] new in
      if new == .active { active.insert(index) } else { active.remove(index) }
      if new == .active || active.isEmpty { state(new) }
    }
  }
}
