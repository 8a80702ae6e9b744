import Glibc
public import LinuxSystem
public import MotionCore
import MotionLink
import MotionModel
import ZeroMQ

/// A plugin's program: executors that motiond runs in a process of their own.
///
///     import MotionExecutorKit
///
///     @main struct Sway {
///       static func main() { Worker(SwayExecutor.self).run() }
///     }
///
/// motiond starts the program with its settings in the environment (`docs/protocol.md`). It ends the program by a
/// shutdown command, by TERM, or by the end of its standard input.
///
/// Standard output and standard error are log lines; the kit itself writes to standard error only. Executors run on the
/// calling thread, one call at a time.
public struct Worker {
  /// Puts the plugin's outputs to rest: called when motiond is gone and the manifest has `"onLost": "rest"`. When the
  /// process ends, it has one second.
  public var rest: () -> Void = {}
  /// Ends the plugin's streams to others: called when motiond ends orderly, and this worker with it, but not when a
  /// successor goes on at once. The process ends afterwards; it has one second.
  public var finish: () -> Void = {}
  let declarations: [ExecutorDeclaration]

  /// A worker with executors whose types contain their complete declaration.
  public init(_ executors: any ExecutorDeclaring.Type...) {
    self.init(declarations: executors.map { ExecutorDeclaration($0) })
  }

  /// A worker with these executors.
  public init(declarations: [ExecutorDeclaration]) {
    self.declarations = declarations
  }

  /// Runs the worker until it has to end, and ends the process. The exit codes:
  ///
  /// - 0: it ended normally.
  /// - 1: a failure.
  /// - 2: the program was not started by motiond, or its arguments are invalid.
  /// - 3: motiond did not answer.
  /// - 4: motiond refused it.
  ///
  /// With `--connect` on its command line, or `MOTION_CONNECT` in its environment, it works for a motiond that did not
  /// start it. It then continues while that motiond is unreachable. `--help` lists the options.
  public func run() -> Never {
    signal(SIGPIPE, SIG_IGN)
    do {
      if CommandLine.arguments.contains("--help") {
        print(RemoteConnection.help(Self.program), terminator: "")
        exit(0)
      }
      let connection = try RemoteConnection.read(CommandLine.arguments) { name in
        getenv(name).map { String(cString: $0) }
      }
      if let connection { try run(connection) }
      let environment = try WorkerEnvironment { name in getenv(name).map { String(cString: $0) } }
      let stop = try EventCounter()
      Termination.forward(to: stop)
      let end = try serve(environment, lifeline: STDIN_FILENO, stop: stop) { Termination.limitTime() }
      Self.say("\(environment.address) ends: \(end)")
      exit(end.exitCode)
    } catch let error as WorkerEnvironmentError {
      Self.say("\(error)")
      exit(2)
    } catch let error as RemoteArgumentError {
      Self.say("\(error)")
      exit(2)
    } catch {
      Self.say("it failed: \(error)")
      exit(1)
    }
  }

  /// Runs the worker on the calling thread until it has to end, and returns the reason. For hosts without a process of
  /// their own, such as tests.
  ///
  /// - Parameters:
  ///   - environment: motiond's addresses, and the identity of this worker.
  ///   - lifeline: a descriptor whose end of file means that motiond has exited.
  ///   - stop: signalled to end the worker.
  ///   - willEnd: called before ``rest``.
  /// - Throws: errors of libzmq or of the system.
  public func serve(
    _ environment: WorkerEnvironment, lifeline: Int32, stop: EventCounter, willEnd: () -> Void = {}
  ) throws -> WorkerEnd {
    let session = WorkerSession(declarations, report: Self.say)
    let context = try ZeroMQContext()
    let loop = try WorkerLoop(
      environment, session: session, context: context, lifeline: lifeline, stop: stop, rest: rest, say: Self.say)
    let end = try loop.run()
    willEnd()
    if session.endsForGood { finish() }
    if environment.onLost == .rest { rest() }
    return end
  }

  private func run(_ connection: RemoteConnection) throws -> Never {
    let stop = try EventCounter()
    Termination.forward(to: stop)
    let end = try serve(connection, stop: stop) { Termination.limitTime() }
    Self.say("\(connection.address) ends: \(end)")
    exit(end.exitCode)
  }

  private static var program: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "worker"
  }

  static func say(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
