/// What an input device says about itself, as far as its events cannot be understood without it.
public enum EvdevDevice: Hashable, Sendable {
  /// A touchscreen that speaks multi-touch protocol B, with the ranges of its axes (`EVIOCGABS`), and the slot that it is
  /// at (the value of `ABS_MT_SLOT`), which it only tells when it changes.
  case touchscreen(horizontal: ClosedRange<Int32>, vertical: ClosedRange<Int32>, slot: Int32 = 0)
  /// A mouse, of which the left button counts.
  case mouse
}

/// A surface that no device can point at.
public struct EvdevSurfaceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The size that was asked for.
  public let size: SIMD2<Double>

  /// The message, with its remedy.
  public var description: String {
    "a surface of \(size.x) by \(size.y) is none; give a width and a height from 0 to \(EvdevDecoder.largestSurface)"
  }
}
