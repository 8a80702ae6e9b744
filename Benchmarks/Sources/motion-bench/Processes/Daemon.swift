import ArgumentParser
import Foundation
import MotionClient
import MotionModel

/// Where the programs are that are measured.
struct DaemonOptions: ParsableArguments {
  @Option(help: "The directory of motiond, built for release.")
  var bin = "../.build/release"

  @Option(help: "The directory of the runnable plugins, one folder for each.")
  var plugins = "../.build/plugins"

  /// Starts a motiond of its own for a benchmark.
  ///
  /// - Parameters:
  ///   - affinity: what it is given as `--affinity`, if anything.
  ///   - journal: whether it keeps one, as it does if nobody says otherwise.
  ///   - options: further options.
  func start(
    rate: Double = 120, plugins: String? = nil, affinity: String? = nil, journal: Bool = true, options: [String] = []
  ) throws -> Daemon {
    try Daemon(
      bin: bin, plugins: plugins ?? self.plugins, rate: rate,
      isJournalled: journal, (affinity.map { ["--affinity", $0] } ?? []) + options)
  }
}

/// A motiond of one benchmark, in a directory of its own; both are gone when the benchmark lets it go.
final class Daemon {
  /// How long it may take to answer: a million lanes that move take seconds a frame before anything was made fast.
  static let timeout = Duration.seconds(60)

  let directory: Scratch
  private(set) var process: ChildProcess
  private let program: String
  private let arguments: [String]
  var processID: Int32 { process.processID }
  var facts: ProcessFacts { ProcessFacts(processID) }
  var runtimeDirectory: String { directory["run"] }

  init(bin: String, plugins: String, rate: Double, isJournalled: Bool, _ options: [String]) throws {
    program = "\(bin)/motiond"
    guard access(program, X_OK) == 0 else {
      throw BenchFailure("there is no \(program): build it with `make build`, or say where it is with --bin")
    }
    directory = try Scratch()
    arguments =
      [
        "--runtime-dir", directory["run"], "--state-dir", directory["state"], "--plugin-path", plugins,
        "--rate", "\(rate)", "--journal", isJournalled ? directory["state/journal"] : "none",
      ] + options
    process = try ChildProcess(program, arguments, log: directory["log"])
  }

  /// Kills it, and starts it again in its place.
  func killAndRestart() throws {
    process.kill()
    process = try ChildProcess(program, arguments, log: directory["log"])
  }

  /// A client of it, for the calling thread, as soon as it serves.
  func connect() throws -> MotionClient {
    let limit = Date().addingTimeInterval(10)
    while true {
      do {
        return try MotionClient(connectingTo: runtimeDirectory, name: "motion-bench", timeout: Self.timeout)
      } catch {
        guard Date() < limit, process.isRunning else {
          throw BenchFailure("motiond does not serve: \(error). It said: \(directory.text(of: "log"))")
        }
        usleep(10_000)
      }
    }
  }

  /// The address at which it publishes values.
  var valuesEndpoint: String { "ipc://\(runtimeDirectory)/client/values.ipc" }
}

/// A directory of one benchmark, which goes with it.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/motion-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchFailure("no directory can be made in /tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  subscript(name: String) -> String { "\(path)/\(name)" }

  /// The address of a socket in it.
  func endpoint(_ name: String) -> String { "ipc://\(self[name])" }

  func text(of name: String) -> String { (try? String(contentsOfFile: self[name], encoding: .utf8)) ?? "" }
}

extension MotionClient {
  /// Waits until something is so.
  func wait(for what: String, upTo seconds: Double = 120, until isSo: (Status) -> Bool) throws {
    let limit = Date().addingTimeInterval(seconds)
    while try !isSo(status()) {
      guard Date() < limit else { throw BenchFailure("\(what) did not come within \(Int(seconds)) s") }
      usleep(20_000)
    }
  }

  /// Commits so many operations in transactions of at most 10⁵ of them.
  func commit(_ count: Int, _ operation: (Int) throws -> Transaction.Operation) throws {
    for first in stride(from: 0, to: count, by: Limits.operationsPerTransaction) {
      let end = min(count, first + Limits.operationsPerTransaction)
      try commit(Transaction(log: (first..<end).map(operation)))
    }
  }
}

extension Status {
  /// A count by its name; 0 if the daemon does not count it.
  subscript(name: String) -> UInt64 { counters.first { $0.name == name }?.value ?? 0 }
}
