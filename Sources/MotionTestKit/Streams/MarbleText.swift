import MotionModel
import MotionStreams

/// Parses and draws values in marble diagrams.
public enum MarbleText {
  /// The number of a digit; `nan` for any other character.
  public static func digit(_ character: Character) -> Double { character.wholeNumberValue.map(Double.init) ?? .nan }

  /// A whole number without its fraction, a flag as `t` or `f`, a state as `+` or `.`, numbers of a list in brackets,
  /// anything else as its text.
  public static func of<Value>(_ value: Value) -> String {
    switch value {
    // Without the sign, which has no meaning and differs between machines.
    case let number as Double where number.isNaN: "nan"
    case let number as Double where number == number.rounded() && abs(number) < 1e15: "\(Int(number))"
    case let flag as Bool: flag ? "t" : "f"
    case let point as SIMD2<Double>: "\(of(point.x)),\(of(point.y))"
    case let state as MotionState: state == .active ? "+" : "."
    case let list as [Double]: "[" + list.map(of).joined(separator: " ") + "]"
    default: "\(value)"
    }
  }
}
