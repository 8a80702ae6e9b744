import Glibc
import Testing

@testable import MotionPhysics

@Suite struct ElementaryFunctionsTests {
  /// How many units in the last place two numbers are apart.
  private func distance(_ a: Double, _ b: Double) -> Double {
    abs(a - b) / max(a.ulp, b.ulp)
  }

  @Test func exponentialsAgreeWithTheCLibrary() {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<20_000 {
      let x = -random.logarithmic(1e-12...690)
      #expect(distance(ElementaryFunctions.exponential(ofNonpositive: x), exp(x)) <= 2, "exp(\(x))")
      #expect(distance(ElementaryFunctions.exponentialMinusOne(ofNonpositive: x), expm1(x)) <= 3, "expm1(\(x))")
    }
  }

  @Test func exponentialsAreExactAtTheirEnds() {
    #expect(ElementaryFunctions.exponential(ofNonpositive: 0) == 1)
    #expect(ElementaryFunctions.exponential(ofNonpositive: -701) == 0)
    #expect(ElementaryFunctions.exponential(ofNonpositive: -.infinity) == 0)
    #expect(ElementaryFunctions.exponential(ofNonpositive: -699.9).isNormal)
    #expect(ElementaryFunctions.exponentialMinusOne(ofNonpositive: 0) == 0)
    #expect(ElementaryFunctions.exponentialTail(ofNonpositive: 0) == 0.5)
  }

  @Test func sineAndCosineAgreeWithTheCLibrary() {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<20_000 {
      let x = random.logarithmic(1e-12...1e6)
      let (sine, cosine) = ElementaryFunctions.sineAndCosine(of: x)
      // Near a zero of the function only the absolute error counts: 2⁻⁵² of the amplitude.
      #expect(abs(sine - sin(x)) <= max(2 * sin(x).ulp, 1e-22), "sin(\(x))")
      #expect(abs(cosine - cos(x)) <= max(2 * cos(x).ulp, 1e-22), "cos(\(x))")
    }
  }

  @Test(arguments: [1e9, 1e15, 1e100, 1e308])
  func sineAndCosineStayOnTheCircleFarOut(x: Double) {
    let (sine, cosine) = ElementaryFunctions.sineAndCosine(of: x)
    #expect(abs(sine * sine + cosine * cosine - 1) < 1e-15)
  }
}
