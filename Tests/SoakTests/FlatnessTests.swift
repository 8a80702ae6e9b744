import Testing

@testable import motion_soak

/// A growing curve is distinguished from one that does not grow.
struct FlatnessTests {
  private func fit(_ value: (Double) -> Double) throws -> Flatness {
    try #require(Flatness(stride(from: 0.0, to: 800, by: 1).map { (time: $0, value: value($0)) }))
  }

  @Test func `a growing curve has its growth`() throws {
    let fit = try fit { 60 + $0 / 100 }
    #expect(abs(fit.growth - 7.99) < 1e-9)
    #expect(abs(fit.line(400) - 64) < 1e-9)
    #expect(abs(fit.median - 63.995) < 1e-9)
  }

  @Test func `a falling curve has a negative growth`() throws {
    #expect(try fit { 60 - $0 / 100 }.growth < -7)
  }

  @Test func `a curve that goes up and down is flat`() throws {
    #expect(abs(try fit { 60 + $0.truncatingRemainder(dividingBy: 7) }.growth) < 0.2)
  }

  /// A quarter of the seconds, those with an injected fault, do not affect the judgement of the others.
  @Test func `outliers do not change the growth`() throws {
    let disturbed = { (time: Double) in time.truncatingRemainder(dividingBy: 4) == 0 ? 1000 + time : 0 }
    #expect(abs(try fit { 60 + disturbed($0) }.growth) < 1)
    #expect(try fit { 60 + $0 / 100 + disturbed($0) }.growth > 6)
  }

  @Test func `samples at one moment are no curve`() {
    #expect(Flatness([]) == nil)
    #expect(Flatness([(time: 1, value: 5), (time: 1, value: 6)]) == nil)
  }
}
