import MotionPhysics
import Testing

@Suite struct KeyframesTests {
  // Clauses: S5.15
  @Test func valuesArePassedExactly() throws {
    typealias Value = SIMD4<Double>
    let values = [Value(0.1, 5, 0, 0), Value(0.7, -3, 0, 0), Value(0.3, 1e9, 0, 0), Value(1, 2, 3, 4)]
    let keyframes = try Keyframes(values: values, timings: [.ease, .easeIn, .linear])
    #expect(keyframes.offsets == [0, 1.0 / 3, 2.0 / 3, 1])
    for (offset, value) in zip(keyframes.offsets, values) {
      #expect(keyframes.sample(at: offset).value == value)
    }
    #expect(keyframes.sample(at: -1).value == values[0])
    #expect(keyframes.sample(at: 2).value == values[3])
  }

  // Clauses: S5.15
  @Test func eachSegmentHasItsOwnLengthAndTiming() throws {
    let keyframes = try Keyframes(
      values: [SIMD4(0), SIMD4(10), SIMD4(0)], offsets: [0, 0.2, 1], timings: [.linear, .steps(2, .end)])
    #expect(keyframes.sample(at: 0.1).value == SIMD4(5))
    #expect(keyframes.sample(at: 0.1).slope == SIMD4(50))
    #expect(keyframes.sample(at: 0.3).value == SIMD4(10))
    #expect(keyframes.sample(at: 0.7).value == SIMD4(5))
    #expect(keyframes.sample(at: 0.7).slope == .zero)
  }

  @Test func `slopes equal differences of the values`() throws {
    let keyframes = try Keyframes(
      values: [SIMD4(1, 2, 3, 4), SIMD4(-5, 6, 0, 4), SIMD4(9, 9, 9, 4)], offsets: [0, 0.35, 1], timings: [.easeInOut])
    let h = 1e-6
    for index in 1..<499 where abs(Double(index) / 499 - 0.35) > 1e-3 {
      let progress = Double(index) / 499
      let difference = keyframes.sample(at: progress + h).value - keyframes.sample(at: progress - h).value
      #expect((difference / (2 * h) - keyframes.sample(at: progress).slope).largestMagnitude < 1e-4)
    }
  }

  /// The error → words of problem and remedy.
  // Clauses: S5.14
  @Test func `parts that do not match are refused`() {
    func expectError(_ problem: String, _ remedy: String, _ body: () throws -> Keyframes) {
      do {
        _ = try body()
        Issue.record("no error with '\(problem)'")
      } catch {
        #expect("\(error)".contains(problem) && "\(error)".contains(remedy), "\(error)")
      }
    }
    let three = [SIMD4<Double>(0), SIMD4(1), SIMD4(2)]
    expectError("1 keyframe values", "two or more") { try Keyframes(values: [.zero]) }
    expectError("value 1 is not finite", "finite") { try Keyframes(values: [.zero, SIMD4(.nan)]) }
    expectError("3 timing functions for 2", "one for all, or 2") {
      try Keyframes(values: three, timings: [.ease, .ease, .ease])
    }
    expectError("0 timing functions", "one for all") { try Keyframes(values: three, timings: []) }
    expectError("2 offsets for 3", "one for each") { try Keyframes(values: three, offsets: [0, 1]) }
    expectError("from 0 to 1", "first be 0") { try Keyframes(values: three, offsets: [0.1, 0.5, 1]) }
    expectError("offset 1", "rise") { try Keyframes(values: three, offsets: [0, 0, 1]) }
    expectError("offset 1", "rise") { try Keyframes(values: three, offsets: [0, .nan, 1]) }
  }
}
