import Glibc

/// The hand of a drama: it sways, 60 units to either side.
public enum Hand {
  private static let reach = 60.0
  /// In frames, for an arc of 1.
  private static let period = 25.0

  /// Its place so many frames after it came down.
  public static func place(_ frame: Int) -> Double { reach * sin(Double(frame) / period) }

  /// Its velocity: it comes down at rest, and sways from its first move on.
  static func velocity(_ frame: Int, ratePerSecond: Double) -> Double {
    frame > 0 ? reach / period * ratePerSecond * cos(Double(frame) / period) : 0
  }
}
