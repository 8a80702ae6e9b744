import ArgumentParser
import Glibc
import MotionCore
import MotionModel

/// `motion-bench staging`
struct Stagings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "staging",
    abstract: "The frame that applies a large transaction, with staging and without.",
    discussion: """
      A transaction is checked in pieces and, with staging, prepared meanwhile. The cost of the check is shown beside: \
      frames run between its pieces.
      """)

  @OptionGroup var options: BenchOptions

  /// The plans of a transaction.
  private enum Plans: String, CaseIterable {
    /// Targets do not exist yet; each plan moves a property of its own.
    case new = "new targets, a property for each plan"
    /// Targets do not exist yet; all plans of a target move one property, so that only the last begins.
    case replaced = "new targets, one property"
    /// Targets move already; each plan moves a property of its own.
    case moving = "targets that move, a property for each plan"
    /// Targets move already; all plans of a target move one property, so that only the last begins.
    case movingReplaced = "targets that move, one property"
  }

  func run() throws {
    let printer = Printer(options)
    let operations = options.quick ? 2_000 : 100_000
    for plans in Plans.allCases {
      for targets in [operations / 100, operations / 10, operations] {
        // With one plan for each target, the cases with one property are those with a property for each plan.
        if targets == operations, plans == .replaced || plans == .movingReplaced { continue }
        for row in try measure(plans, operations, on: targets) { try printer.show(row) }
      }
    }
  }

  private struct Cost {
    var check = 0.0
    var frame = 0.0
  }

  private func measure(_ plans: Plans, _ operations: Int, on targets: Int) throws -> [Row] {
    var (staged, plain) = ([Cost](), [Cost]())
    // In turns, so that both see the same machine.
    for _ in 0..<(options.quick ? 1 : 7) {
      staged.append(try cost(of: plans, operations, on: targets, staging: true))
      plain.append(try cost(of: plans, operations, on: targets, staging: false))
    }
    func row(_ series: String, _ part: KeyPath<Cost, Double>) -> Row {
      Row(
        benchmark: "staging", series: "\(series), \(plans.rawValue)", size: targets,
        cost: Self.median(staged.map { $0[keyPath: part] }), reference: Self.median(plain.map { $0[keyPath: part] }),
        unit: "ms", comparedWith: "the same without staging")
    }
    return [row("frame", \.frame), row("check", \.check)]
  }

  /// The cost of checking a transaction of so many operations in pieces of 64, and of the frame that applies it, in
  /// milliseconds of the processor's time.
  private func cost(of plans: Plans, _ operations: Int, on targets: Int, staging: Bool) throws -> Cost {
    let runtime = Runtime()
    if plans == .moving || plans == .movingReplaced {
      try runtime.commit(transaction(plans, operations, on: targets, to: 1000))
      for _ in 0..<10 { runtime.advance() }
    }
    let transaction = try transaction(plans, operations, on: targets, to: 2000)
    var cost = Cost()
    let start = Self.now
    let check = try TransactionCheck(transaction, in: runtime, staging: staging)
    while !check.isFinished { try check.advance(64) }
    cost.check = Self.now - start
    _ = try runtime.commit(check)
    let begin = Self.now
    runtime.advance()
    cost.frame = Self.now - begin
    return cost
  }

  private func transaction(
    _ plans: Plans, _ operations: Int, on targets: Int, to destination: Double
  ) throws -> Transaction {
    let count = operations / targets
    let springs = try (0..<count).map { number in
      let isShared = plans == .replaced || plans == .movingReplaced
      return Intention.springTo(try PropertyName(isShared ? "x" : "x\(number)"), [destination + Double(number)])
    }
    return Transaction(
      log: try (0..<targets).flatMap { target -> [Transaction.Operation] in
        let name = try TargetName("t\(target)")
        return springs.map { .add($0, named: nil, to: name) }
      })
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// The processor's time of this thread, in milliseconds: other processes do not count.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }
}
