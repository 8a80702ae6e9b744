import MotionStreams
import MotionTestKit
import Testing

struct AffineRowTests {
  /// An operation, and its effect on the value alone.
  private enum Step {
    case adding(Double)
    case multiplying(Double)

    static func random(using random: inout some RandomNumberGenerator) -> Step {
      let numbers = [0.0, -0.0, 1, -1, 0.1, 1e-310, 1e308, .infinity, .nan, .random(in: -9...9, using: &random)]
      let number = numbers.randomElement(using: &random) ?? 0
      return Bool.random(using: &random) ? .adding(number) : .multiplying(number)
    }

    func applied(to value: Double) -> Double {
      switch self {
      case .adding(let amount): value + amount
      case .multiplying(let factor): value * factor
      }
    }

    func applied(to stream: MotionObservable<Double>) -> MotionObservable<Double> {
      switch self {
      case .adding(let amount): stream.offset(by: amount)
      case .multiplying(let factor): stream.scaled(by: factor)
      }
    }
  }

  // Clauses: S3.2
  @Test func `constants in a row equal single operations to the last bit`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "affineRows"))
    for _ in 0..<2000 {
      let steps = (0..<Int.random(in: 1...8, using: &random)).map { _ in Step.random(using: &random) }
      let subject = MotionSubject<Double>()
      var heard: [Double] = []
      let stream = steps.reduce(subject.asStream()) { $1.applied(to: $0) }
      let subscription = stream.subscribe { heard.append($0) }
      let values = [0.0, -0.0, 1.5, -1e-320, .infinity, .nan, .random(in: -1e3...1e3, using: &random)]
      for value in values { subject.next(value) }
      subscription.unsubscribe()
      for (value, result) in zip(values, heard) {
        let expected = steps.reduce(value) { $1.applied(to: $0) }
        #expect(
          result.bitPattern == expected.bitPattern || result.isNaN && expected.isNaN, "\(steps) of \(value): \(result)")
      }
      #expect(heard.count == values.count)
      #expect(stream.metadata.calls.count == steps.count + subject.asStream().metadata.calls.count)
    }
  }

  @Test func `each intermediate stream is independent`() {
    let subject = MotionSubject<Point>()
    let one = subject.asStream().offset(by: [1, 2])
    let two = one.scaled(by: 2)
    let others = (one.offset(by: [10, 10]), two.offset(by: [100, 100]))
    var heard: [Point] = []
    let subscriptions = [one, two, others.0, others.1].map { $0.subscribe { heard.append($0) } }
    subject.next([0, 0])
    #expect(heard == [[1, 2], [2, 4], [11, 12], [102, 104]])
    for subscription in subscriptions { subscription.unsubscribe() }
  }
}
