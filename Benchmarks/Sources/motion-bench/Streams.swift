import ArgumentParser
import CReference
import MotionStreams
import OpenCombine

/// `motion-bench streams`
struct Streams: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A value through a chain of operators, against the same chain in OpenCombine.",
    discussion: """
      Source and observer are part of the cost, so that a chain of one pays most of it. Besides the ratio there is a \
      figure in nanoseconds, which belongs to the machine.
      """)

  @OptionGroup var options: BenchOptions

  /// What a chain is made of.
  private enum Kind: String, CaseIterable {
    /// `offset(by:)`, there `map`.
    case offsets
    /// `offset(by:)`, `dedupe()` and `scaled(by:)` in turn, there `map`, `removeDuplicates` and `map`.
    case mixed = "offset, dedupe, scaled"
  }

  func run() throws {
    let printer = Printer(options)
    for kind in Kind.allCases {
      for length in [1, 3, 6] {
        for row in measure(kind, length) { try printer.show(row) }
      }
    }
  }

  private static let valuesPerCall = 10_000
  /// What a value may cost for each operator, in nanoseconds, in chains of more than one.
  private static let mostNanoseconds = 7.0

  private func measure(_ kind: Kind, _ length: Int) -> [Row] {
    let (ours, theirs) = (ours(kind, length), theirs(kind, length))
    let counts = (ours: Counts.of(ours), theirs: Counts.of(theirs))
    let times = Stopwatch(quick: options.quick).compare(ours, with: theirs)
    let perOperator = 1e9 / Double(Self.valuesPerCall * length)
    func row(_ series: String, against reference: Double, _ name: String, target: Double?) -> Row {
      Row(
        benchmark: "streams", series: series, size: length, cost: times.subject * perOperator, reference: reference,
        unit: "ns a value and operator", comparedWith: name, target: target)
    }
    func counted(_ what: String, _ ours: UInt64, _ theirs: UInt64, limit: Double? = nil) -> Row {
      Row(
        benchmark: "streams", series: "\(kind.rawValue), \(what)", size: length,
        cost: Double(ours) / Double(Self.valuesPerCall), reference: Double(theirs) / Double(Self.valuesPerCall),
        unit: "a value", comparedWith: "OpenCombine's", limit: limit)
    }
    return [
      row(kind.rawValue, against: times.reference * perOperator, "OpenCombine", target: length > 1 ? 1.0 / 20 : nil),
      row(
        kind.rawValue + ", by the clock", against: Self.mostNanoseconds, "\(Int(Self.mostNanoseconds)) ns",
        target: length > 1 ? 1 : nil),
      counted("allocations", counts.ours.allocations, counts.theirs.allocations, limit: 0),
      counted("references counted", counts.ours.retains, counts.theirs.retains),
    ]
  }

  /// Sends values through a chain of ours.
  private func ours(_ kind: Kind, _ length: Int) -> () -> Void {
    let subject = MotionSubject<Double>()
    var stream: MotionObservable<Double> = subject.asStream()
    for index in 0..<length {
      switch kind == .offsets ? 0 : index % 3 {
      case 0: stream = stream.offset(by: 1)
      case 1: stream = stream.dedupe()
      default: stream = stream.scaled(by: 1.5)
      }
    }
    let sum = Sum()
    let subscription = stream.subscribe { sum.value += $0 }
    return {
      withExtendedLifetime(subscription) {
        for index in 0..<Self.valuesPerCall { subject.next(Double(index)) }
      }
    }
  }

  /// Sends values through the same chain of OpenCombine's.
  private func theirs(_ kind: Kind, _ length: Int) -> () -> Void {
    let subject = PassthroughSubject<Double, Never>()
    var stream = subject.eraseToAnyPublisher()
    for index in 0..<length {
      switch kind == .offsets ? 0 : index % 3 {
      case 0: stream = stream.map { $0 + 1 }.eraseToAnyPublisher()
      case 1: stream = stream.removeDuplicates().eraseToAnyPublisher()
      default: stream = stream.map { $0 * 1.5 }.eraseToAnyPublisher()
      }
    }
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
