import ArgumentParser
import MotionClient
import MotionModel

/// Reads `--surface`: a width and a height.
func parsedSurface(_ text: String) throws -> SIMD2<Double> {
  let sizes = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Double($0) }
  guard sizes.count == 2, sizes.allSatisfy({ $0 > 0 && $0 <= EvdevDecoder.largestSurface }) else {
    let most = JSONText.number(EvdevDecoder.largestSurface)
    throw ValidationError("write a width and a height above 0 and at most \(most), such as 1920x1080")
  }
  return SIMD2(sizes[0], sizes[1])
}

/// Reads `--value`: a name and 1 to 4 numbers; without numbers, the name is withdrawn.
func parsedValue(_ text: String) throws -> InputValue {
  let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2 else {
    throw ValidationError("\"\(text)\" has no \"=\": write a name and numbers, such as fader.1=0.3")
  }
  let name: InputName = try parsedName(String(parts[0]))
  guard !parts[1].isEmpty else { return InputValue(name, nil) }
  let numbers = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
  let value = "the value of \(name) is \"\(parts[1].prefix(64))\""
  guard let lanes = Lanes(numbers.compactMap(\.self)), lanes.count == numbers.count else {
    throw ValidationError("\(value): write 1 to \(Limits.lanes) numbers, such as 0.3 or 1,2")
  }
  guard lanes.isWithin(Limits.magnitude) else {
    throw ValidationError("\(value): write numbers from -\(Limits.magnitude) to \(Limits.magnitude)")
  }
  return InputValue(name, lanes)
}

/// Reads `--origin`: a position.
func parsedOrigin(_ text: String) throws -> SIMD2<Double> {
  let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
  guard numbers.count == 2, numbers.allSatisfy({ abs($0) <= EvdevDecoder.largestSurface }) else {
    let most = JSONText.number(EvdevDecoder.largestSurface)
    throw ValidationError("write x and y from -\(most) to \(most), such as -100,50")
  }
  return SIMD2(numbers[0], numbers[1])
}

/// Reads `--axes`: the highest position of each axis of a touchscreen.
func parsedAxes(_ text: String) throws -> EvdevDevice {
  let ends = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int32($0) }
  guard ends.count == 2, ends.allSatisfy({ $0 > 0 }) else {
    throw ValidationError("write the highest place of either axis, such as 4095x4095")
  }
  return .touchscreen(horizontal: 0...ends[0], vertical: 0...ends[1])
}
