public import MotionModel

/// Makes an object draggable, pinchable and rotatable by the same fingers at the same time.
public final class DirectlyManipulable: Interaction {
  /// The drag of its position.
  public let draggable: Draggable
  /// The pinch of its scale.
  public let pinchable: Pinchable
  /// The turning of its rotation.
  public let rotatable: Rotatable

  /// Combines the three; each may be changed before the interaction is connected.
  public init(draggable: Draggable, pinchable: Pinchable, rotatable: Rotatable) {
    self.draggable = draggable
    self.pinchable = pinchable
    self.rotatable = rotatable
  }

  /// Passes an event to the three gestures.
  public func handle(_ event: PointerEvent) {
    draggable.gesture.handle(event)
    pinchable.gesture.handle(event)
    rotatable.gesture.handle(event)
  }

  /// Connects the three.
  public func connect(with runtime: MotionRuntime) {
    draggable.connect(with: runtime)
    pinchable.connect(with: runtime)
    rotatable.connect(with: runtime)
  }
}
