import MotionModel
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Runs one worker's process and tells of it: an effect, on threads of its own.
///
/// The process has a group of its own, an environment built from empty, and a pipe as standard input that closes when
/// the coordinator dies, on which every worker exits. `setpriv` asks the kernel for a signal at the coordinator's death
/// on top of that; it does so for the thread that spawns, which lives as long as the program (Subprocess' own thread).
///
/// A process that has ended stays a zombie, and so keeps its number and that of its group, until ``release()``: until
/// then both may be signalled without fear of meeting somebody else.
final class WorkerProcess: Sendable {
  /// What is run.
  struct Launch: Sendable {
    var executable: String
    var arguments: [String]
    var environment: [String: String]
    var directory: String
    /// The signal that the kernel sends when the coordinator dies: KILL, or TERM for plugins that put outputs to rest.
    var parentDeathSignal: String
    /// How many files it may have open, as the soft limit; `nil` for as many as we may.
    var descriptorLimit: UInt64?

    /// What `setpriv` is told: the signal, then the program, by way of `prlimit` if a limit is to be set. Both come with
    /// util-linux and become the program, so that the number of the process stays.
    fileprivate var command: [String] {
      let limit = descriptorLimit.map { ["/usr/bin/prlimit", "--nofile=\($0):", "--"] } ?? []
      return ["--pdeathsig", parentDeathSignal, "--"] + limit + [executable] + arguments
    }
  }

  /// What is heard of it.
  enum Event: Sendable {
    /// It runs, with this process id.
    case spawned(Int32)
    /// It printed a line.
    case printed(String)
    /// It ended, or could not be started.
    case ended(reason: String)
  }

  private let released = Latch()

  /// Starts the process; `hear` is called for each event, in order, the last one is always `ended`.
  ///
  /// `ended` comes only after ``release()`` if `spawned` came before it.
  init(_ launch: Launch, hear: @escaping @Sendable (Event) async -> Void) {
    Task.detached { [released] in
      do {
        let result = try await Self.run(launch, until: released, hear: hear)
        await hear(.ended(reason: Self.describe(result)))
      } catch {
        await hear(.ended(reason: "it could not be started: \(error)"))
      }
    }
  }

  /// Its owner knows that it has ended, and signals it no more.
  func release() { released.open() }

  private static func run(
    _ launch: Launch, until released: Latch, hear: @escaping @Sendable (Event) async -> Void
  ) async throws -> TerminationStatus {
    var options = PlatformOptions()
    options.processGroupID = 0
    var environment: [Environment.Key: String] = [:]
    for (key, value) in launch.environment { environment[Environment.Key(stringLiteral: key)] = value }
    let result = try await Subprocess.run(
      .path("/usr/bin/setpriv"),
      arguments: Arguments(launch.command),
      environment: .custom(environment), workingDirectory: FilePath(launch.directory), platformOptions: options,
      input: .inputWriter, output: .sequence, error: .sequence
    ) { execution in
      await hear(.spawned(execution.processIdentifier.value))
      async let output: Void = relay(execution.standardOutput, hear)
      async let errors: Void = relay(execution.standardError, hear)
      // Both end with the process at the latest, even if something that it started holds them open.
      _ = await (output, errors)
      await released.wait()
      // The lifeline stays open until here.
      try? await execution.standardInputWriter.finish()
    }
    return result.terminationStatus
  }

  /// Passes on what is printed, line by line; a line that is too long is cut, not collected.
  private static func relay(
    _ output: SubprocessOutputSequence, _ hear: @Sendable (Event) async -> Void
  ) async {
    var splitter = LineSplitter(limit: Limits.logLineBytes)
    do {
      for try await chunk in output {
        let lines = chunk.withUnsafeBytes { splitter.add($0) }
        for line in lines { await hear(.printed(line)) }
      }
    } catch {
      await hear(.printed("(its output could not be read: \(error))"))
    }
    if let rest = splitter.finish() { await hear(.printed(rest)) }
  }

  private static func describe(_ status: TerminationStatus) -> String {
    switch status {
    case .exited(let code): code == 0 ? "it exited by itself (code 0)" : "it exited with code \(code)"
    case .signaled(let signal): "it was ended by signal \(signal)"
    }
  }
}
