/// The state of a gesture.
///
/// A continuous gesture goes `possible → began → changed … → ended` or `→ cancelled`; an instantaneous one goes
/// `possible → recognized`. A gesture that can no longer begin has `failed`. `ended` and `recognized` are instants:
/// observers receive them, and the recogniser is possible again. `failed` and `cancelled` last until no pointer is
/// left.
public enum GestureState: String, Sendable, Hashable, CaseIterable {
  /// The pointers, if any, may still become the gesture.
  case possible
  /// The gesture begins with this event.
  case began
  /// The gesture is under way.
  case changed
  /// The gesture ends normally with this event.
  case ended
  /// The gesture ends with this event because a pointer was cancelled; its effect may be undone.
  case cancelled
  /// The pointers that are down will not become the gesture.
  case failed
  /// The gesture happened with this event.
  case recognized

  /// Whether the gesture is under way: began or changed.
  public var isActive: Bool { self == .began || self == .changed }

  /// Whether a gesture may go from this state to `next` in one step.
  public func canBecome(_ next: GestureState) -> Bool {
    switch (self, next) {
    case (.possible, .began), (.possible, .recognized), (.possible, .failed): true
    case (.began, .changed), (.began, .ended), (.began, .cancelled): true
    case (.changed, .changed), (.changed, .ended), (.changed, .cancelled): true
    case (.ended, .possible), (.recognized, .possible), (.cancelled, .possible), (.failed, .possible): true
    default: false
    }
  }
}
