/// A part of a drama with one driver of the property.
struct Leg: Sendable {
  enum Mover: Sendable {
    /// No driver: the property rests.
    case rest
    /// Forces; once a spring that ends has arrived, the others.
    case forces(Forces)
    /// A tween; the next leg follows when it is over.
    case tween(to: Double, carries: Bool)
    /// A hand that came down in this frame.
    case hand(down: Int)
  }

  var mover: Mover
  /// The frame from which it may move the property; `nil` when the leg before it ends by itself.
  var cue: Int?
  /// Whether it begins when a hand lets go.
  var followsHand = false
  /// The velocity that it sets at its beginning.
  var initialVelocity: Double?

  /// Whether it continues with the velocity that it finds: neither a hand nor a tween without carry does.
  var keepsVelocity: Bool {
    switch mover {
    case .forces: initialVelocity == nil
    case .tween(_, let carries): carries
    case .rest, .hand: false
    }
  }
}
