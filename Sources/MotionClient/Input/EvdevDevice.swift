/// The properties of an input device that are needed to interpret its events.
public enum EvdevDevice: Hashable, Sendable {
  /// A touchscreen that uses multi-touch protocol B. It has the ranges of its axes (`EVIOCGABS`), and its current slot
  /// (the value of `ABS_MT_SLOT`), which the device reports only when it changes.
  case touchscreen(horizontal: ClosedRange<Int32>, vertical: ClosedRange<Int32>, slot: Int32 = 0)
  /// A mouse, of which only the left button is used.
  case mouse
}

/// The size of a surface is invalid.
public struct EvdevSurfaceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The requested size.
  public let size: SIMD2<Double>

  /// The message, with its remedy.
  public var description: String {
    "a surface of \(size.x) by \(size.y) is not valid; "
      + "give a width and a height from 0 to \(EvdevDecoder.largestSurface)"
  }
}
