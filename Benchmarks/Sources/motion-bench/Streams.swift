import ArgumentParser
import CReference
import MotionStreams
import OpenCombine

/// `motion-bench streams`
struct Streams: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A value through a chain of operators, against the same chain in OpenCombine.")

  @OptionGroup var options: BenchOptions

  func run() throws {
    let printer = Printer(options)
    for length in [1, 3, 6] { try printer.show(measure(length)) }
  }

  private static let valuesPerCall = 10_000

  private func measure(_ length: Int) -> Row {
    let (ours, theirs) = (ours(length), theirs(length))
    ours()
    let before = reference_allocations()
    ours()
    let allocations = reference_allocations() - before
    let times = Stopwatch(quick: options.quick).compare(ours, with: theirs)
    let perOperator = 1e9 / Double(Self.valuesPerCall * length)
    return Row(
      benchmark: "streams", series: "chain of \(length), \(allocations) allocations in \(Self.valuesPerCall) values",
      size: length, cost: times.subject * perOperator, reference: times.reference * perOperator,
      unit: "ns a value and operator", comparedWith: "OpenCombine", target: 1.0 / 20)
  }

  /// Sends values through a chain of ours.
  private func ours(_ length: Int) -> () -> Void {
    let subject = MotionSubject<Double>()
    var stream: MotionObservable<Double> = subject.stream
    for _ in 0..<length { stream = stream.offset(by: 1) }
    let sum = Sum()
    let subscription = stream.subscribe { sum.value += $0 }
    return {
      withExtendedLifetime(subscription) {
        for index in 0..<Self.valuesPerCall { subject.next(Double(index)) }
      }
    }
  }

  /// Sends values through the same chain of OpenCombine's.
  private func theirs(_ length: Int) -> () -> Void {
    let subject = PassthroughSubject<Double, Never>()
    var stream = subject.eraseToAnyPublisher()
    for _ in 0..<length { stream = stream.map { $0 + 1 }.eraseToAnyPublisher() }
    let sum = Sum()
    let subscription = stream.sink { sum.value += $0 }
    return {
      withExtendedLifetime(subscription) {
        for index in 0..<Self.valuesPerCall { subject.send(Double(index)) }
      }
    }
  }
}

/// What comes out, so that nothing is optimised away.
private final class Sum {
  var value = 0.0
}
