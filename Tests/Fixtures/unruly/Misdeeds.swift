import CLinux
import Glibc
import MotionExecutorKit
import MotionModel

/// Performs the actions of the vice at their time. For one process, on the thread of its executors.
final class Misdeeds {
  private let vice: Vice
  private let tick: Int
  private var frames = 0
  private var voice: RogueVoice?
  /// The frame in which the worker aborts after a poisoned plan.
  private var lastFrame: Int?

  init(_ options: Options, _ environment: WorkerEnvironment?) throws {
    vice = options.vice
    tick = options.tick
    if [.writesNaN, .writesForeign, .floodsEvents, .floodsLogs, .floodsBytes, .lies].contains(vice) {
      voice = try environment.map { try RogueVoice($0) }
    }
  }

  /// Before the worker begins.
  func workerBegins() throws {
    switch vice {
    case .exitsZero:
      exit(0)
    case .ignoresLifeline:
      try loseLifeline()
    case .outlivesMotiond:
      try loseLifeline()
      guard motion_set_parent_death_signal(0) == 0 else {
        throw Options.Problem(description: "no life of its own: \(String(cString: strerror(errno)))")
      }
    case .printsToStdout:
      flood()
    default:
      break
    }
  }

  /// Its outputs have to be brought to rest.
  func rest() {
    Output.say("puts its outputs to rest")
    guard vice == .restsSlowly else { return }
    usleep(500_000)
    close(open("rested", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
  }

  /// A plan is about to be added.
  func planArrives(_ planned: PlannedIntention) {
    let isPoison = planned.intention["to"]?.lanes?[0] == 666
    switch vice {
    case .diesOfPoison where isPoison: crash("of \(planned.identity)")
    case .hangsOnPoison where isPoison: hang("on \(planned.identity)")
    case .diesOfSlowPoison where isPoison: lastFrame = frames + 3
    case .crashesOnAdd: crash("on add")
    case .ignoresTerm:
      signal(SIGTERM, SIG_IGN)
      // The kit sets itself an alarm when it is about to end.
      signal(SIGALRM, SIG_IGN)
      // Every request to end, by message or by signal, ends in this.
      if frames == 0 { atexit { Misdeeds.stay() } }
    case .printsToStdout: flood()
    case .forks where frames == 0: bearChildren()
    default: break
    }
  }

  /// How far values are from where they should be, in the second half of a move.
  var jump: Double { vice == .jumps ? 100 : 0 }

  /// A frame is about to run.
  func frameBegins() {
    frames += 1
    if frames == lastFrame { crash("of what it was given") }
    if vice == .crashesAtTick, frames == tick { crash("at tick \(tick)") }
    switch vice {
    case .printsToStdout: flood()
    case .floodsEvents: voice?.sayNothing(times: 10_000)
    case .floodsLogs: voice?.sayLines(10_000)
    case .floodsBytes: voice?.sayMuch()
    case .lies: voice?.lieAboutItself()
    case .leaksMemory where frames >= tick: leak()
    default: break
    }
  }

  /// The executor wrote a property of its own, as it should.
  func wrote(_ property: PropertyHandle, lanes: Int, by executor: ExecutorHandle, in frame: Frame) {
    switch vice {
    case .writesNaN:
      voice?.sayNaN(of: property, lanes: lanes, by: executor, in: frame)
    case .writesForeign:
      voice?.sayForeign(besides: property, by: executor, in: frame)
    default:
      break
    }
  }

  /// A line that would colour a terminal, a thousand lines, one of a hundred kilobytes that does not end, and bytes
  /// that are not text.
  private func flood() {
    let lines = "unruly steers a \u{1B}[31mterminal\n" + (0..<1000).map { "unruly says line \($0)\n" }.joined()
    let endless = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000) + [0xFF, 0x00, 0xC0, 0x1B]
    Output.write(Array(lines.utf8) + endless, to: STDOUT_FILENO)
  }

  /// Takes memory and uses it, so that it counts.
  private func leak() {
    let bytes = 16 << 20
    guard let block = malloc(bytes) else { crash("because there is no more memory") }
    memset(block, 1, bytes)
  }

  /// Reads a pipe whose other end it holds itself, and which therefore never ends.
  private func loseLifeline() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, dup2(ends[0], STDIN_FILENO) >= 0 else {
      throw Options.Problem(description: "no pipe: \(String(cString: strerror(errno)))")
    }
  }

  /// Starts two processes that do not notice their parent's end and inherit all its open descriptors, and prints their
  /// numbers. Written for a process with threads: a child becomes another program at once.
  private func bearChildren() {
    for descriptor in Int32(3)..<256 where fcntl(descriptor, F_GETFD) >= 0 { _ = fcntl(descriptor, F_SETFD, 0) }
    for launcher in ["/bin/sh", "/usr/bin/setsid"] {
      var child: pid_t = 0
      let words = (launcher == "/bin/sh" ? [] : ["setsid"]) + ["sh", "-c", "exec sleep 1000"]
      var arguments = words.map { strdup($0) } + [nil]
      let path = launcher
      guard posix_spawn(&child, path, nil, nil, &arguments, environ) == 0 else { continue }
      Output.say("has a child \(child)")
    }
  }

  private func crash(_ occasion: String) -> Never {
    Output.say("crashes \(occasion), as it was told")
    abort()
  }

  private func hang(_ occasion: String) -> Never {
    Output.say("hangs \(occasion), as it was told")
    Misdeeds.stay()
  }

  /// Never returns. Signals that are handled only interrupt it.
  static func stay() -> Never {
    while true { pause() }
  }
}
