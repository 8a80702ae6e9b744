import Testing

@testable import MotionPhysics

@Suite struct ExtremalFamilyTests {
  @Test func durationsIncreaseAndThePiecesMeet() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<10_000 {
      let item = generator.insideCase()
      let family = try item.plan().family(mirrored: Bool.random(using: &generator))
      let pieces = family.pieces()
      var before = family.profile(pieces[0])
      for index in 0..<pieces.count {
        let start = family.profile(pieces[index])
        let scale = max(1, start.duration)
        #expect(abs(start.duration - before.duration) <= 1e-7 * scale, "\(item) piece \(index)")
        guard pieces[index].high.isFinite else { break }
        let end = family.profile(pieces[index].kind, pieces[index].high)
        #expect(end.duration >= start.duration - 1e-12 * scale, "\(item) piece \(index)")
        before = end
      }
    }
  }

  @Test func profileOfADurationHasIt() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<10_000 {
      let item = generator.insideCase()
      let family = try item.plan().family(mirrored: Bool.random(using: &generator))
      let duration = family.profile(family.pieces()[0]).duration * generator.uniform(1...2) + generator.magnitude()
      let profile = try #require(family.profile(lasting: duration))
      #expect(abs(profile.duration - duration) <= 1e-9 * duration, "\(item) in \(duration)")
    }
  }

  /// The slope, which the iteration uses, is the derivative of the displacement by the duration.
  @Test func slopeIsTheDerivative() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<10_000 {
      let item = generator.insideCase()
      let family = try item.plan().family(mirrored: Bool.random(using: &generator))
      let first = family.profile(family.pieces()[0]).duration
      let duration = first + generator.magnitude(-1...1) * max(first, 0.01)
      let width = 1e-5 * (duration - first)
      guard let a = family.profile(lasting: duration - width), let b = family.profile(lasting: duration + width),
        a.cruise == 0, b.cruise == 0
      else { continue }
      let slope = (b.displacement - a.displacement) / (b.duration - a.duration)
      let low = min(a.slope(inverseJerk: family.inverseJerk), b.slope(inverseJerk: family.inverseJerk))
      let high = max(a.slope(inverseJerk: family.inverseJerk), b.slope(inverseJerk: family.inverseJerk))
      let scale = item.limits.maxVelocity + high - low
      #expect(slope >= low - 1e-4 * scale && slope <= high + 1e-4 * scale, "\(item) in \(duration)")
    }
  }
}
