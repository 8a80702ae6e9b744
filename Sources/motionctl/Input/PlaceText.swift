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
