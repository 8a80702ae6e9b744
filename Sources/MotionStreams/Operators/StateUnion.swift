/// The state channel of several streams that become one: active as long as one of them is.
///
/// States pass as they come, except that one stream's rest is not the whole's while another is active: whoever hears it
/// would take the rest of the movement for none. A set and not a count, since sources may repeat their states.
@usableFromInline
final class StateUnion {
  private var active: Set<Int> = []
  private let state: (MotionState) -> Void

  @usableFromInline init(_ state: @escaping (MotionState) -> Void) { self.state = state }

  /// Takes the states of the stream number `index`.
  @usableFromInline func channel(_ index: Int) -> (MotionState) -> Void {
    { [self] new in
      if new == .active { active.insert(index) } else { active.remove(index) }
      if new == .active || active.isEmpty { state(new) }
    }
  }
}
