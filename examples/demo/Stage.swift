import Foundation
import MotionClient

/// The private motiond, its observers, and what the kernel says of them.
final class Stage {
  let directory: String
  let motionctlPath: String
  private let motiondPath: String
  private let arguments: [String]
  let logPath: String
  private(set) var daemon: Process
  private var observers: [Process] = []
  /// Every worker that was seen, to prove in the end that none is left.
  private(set) var workers: Set<Int32> = []

  /// The recorded touch.
  let tracePath: String
  /// Where the toss is drawn.
  var tossPicture: String { "\(directory)/toss.svg" }
  /// Where the head under limits is drawn.
  var headPicture: String { "\(directory)/head.svg" }

  init(bin: String, plugins: String, directory: String, trace: String) throws {
    let place = URL(fileURLWithPath: directory).standardizedFileURL.path
    self.directory = place
    motionctlPath = "\(bin)/motionctl"
    logPath = "\(place)/motiond.log"
    tracePath = trace
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: logPath, contents: nil)
    motiondPath = "\(bin)/motiond"
    arguments = [
      "--runtime-dir", "\(place)/run", "--state-dir", "\(place)/state", "--plugin-path",
      URL(fileURLWithPath: plugins).standardizedFileURL.path,
    ]
    daemon = try Self.run(motiondPath, arguments, log: logPath)
  }

  private static func run(_ path: String, _ arguments: [String], log: String) throws -> Process {
    let daemon = Process()
    daemon.executableURL = URL(fileURLWithPath: path)
    daemon.arguments = arguments
    daemon.standardInput = FileHandle.nullDevice
    let file = FileHandle(forWritingAtPath: log)
    _ = try file?.seekToEnd()
    daemon.standardError = file
    try daemon.run()
    return daemon
  }

  /// Kills the daemon, and starts the next one in its place.
  func killAndRestartDaemon() throws {
    Terminal.say("   $ kill -KILL \(daemon.processIdentifier); motiond &")
    guard kill(daemon.processIdentifier, SIGKILL) == 0 else { throw DemoFailure("motiond is not there") }
    daemon.waitUntilExit()
    daemon = try Self.run(motiondPath, arguments, log: logPath)
  }

  var runtimeDirectory: String { "\(directory)/run" }

  /// A connection to the daemon, as soon as it serves.
  func connect() throws -> MotionClient {
    let limit = Date().addingTimeInterval(10)
    while true {
      do {
        return try MotionClient(connectingTo: runtimeDirectory, name: "demo")
      } catch {
        guard Date() < limit, daemon.isRunning else { throw error }
        usleep(20_000)
      }
    }
  }

  /// Runs motionctl as a person would, and shows it.
  @discardableResult
  func motionctl(_ arguments: [String]) throws -> String {
    Terminal.say("   $ motionctl " + arguments.joined(separator: " "))
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: motionctlPath)
    process.arguments = arguments + ["--runtime-dir", runtimeDirectory]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw DemoFailure("motionctl ended with \(process.terminationStatus)") }
    for line in text.split(separator: "\n") { Terminal.note(String(line)) }
    return text
  }

  /// Starts a second process that only listens, and writes what it hears into a file.
  func observer(of target: String) throws -> Observer {
    let path = "\(directory)/observer-\(target).ndjson"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: motionctlPath)
    process.arguments = ["watch", target, "--json", "--runtime-dir", runtimeDirectory]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: path)
    try process.run()
    observers.append(process)
    return Observer(process: process, path: path)
  }

  /// Starts to draw what a property does from now on, as a person would; what is drawn is printed when it ends.
  func draw(_ property: String, seconds: Double, into svg: String) throws -> DrawingProcess {
    let arguments = ["draw", property, "--seconds", seconds.text(1), "--svg", svg]
    Terminal.say("   $ motionctl " + arguments.joined(separator: " ") + " &")
    let notes = "\(directory)/draw.err"
    _ = FileManager.default.createFile(atPath: notes, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: motionctlPath)
    process.arguments = arguments + ["--runtime-dir", runtimeDirectory]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle(forWritingAtPath: notes)
    try process.run()
    observers.append(process)
    let limit = Date().addingTimeInterval(5)
    while try !String(contentsOfFile: notes, encoding: .utf8).contains("Following") {
      guard Date() < limit else { throw DemoFailure("motionctl draw hears nothing") }
      usleep(10_000)
    }
    return DrawingProcess(process: process)
  }

  func sawWorker(_ processID: Int32) { if processID > 0 { workers.insert(processID) } }

  /// Asks the daemon to stop and waits until it has.
  func stopDaemon(within seconds: Double) throws {
    daemon.terminate()
    let limit = Date().addingTimeInterval(seconds)
    while daemon.isRunning {
      guard Date() < limit else { throw DemoFailure("motiond did not stop within \(seconds) s") }
      usleep(10_000)
    }
  }

  /// Ends whatever is still there.
  func clear() {
    for process in observers where process.isRunning { process.terminate() }
    if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) }
  }
}

/// A process that only listens.
struct Observer {
  let process: Process
  let path: String

  /// The numbers of the frames that it heard, once, in order; complete values are no frames of their own.
  func frames() throws -> [UInt64] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try text.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if object?["complete"] as? Bool == true { return nil }
      return (object?["frame"] as? NSNumber)?.uint64Value
    }
  }

  /// Waits until it hears.
  func waitUntilItHears(within seconds: Double = 5) throws {
    let limit = Date().addingTimeInterval(seconds)
    while try String(contentsOfFile: path, encoding: .utf8).isEmpty {
      guard Date() < limit else { throw DemoFailure("the observer hears nothing") }
      usleep(10_000)
    }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A process that draws.
struct DrawingProcess {
  let process: Process

  /// Waits for its end, by which it has drawn.
  func finish(within seconds: Double) throws {
    let limit = Date().addingTimeInterval(seconds)
    while process.isRunning {
      guard Date() < limit else { throw DemoFailure("motionctl draw does not end") }
      usleep(10_000)
    }
    guard process.terminationStatus == 0 else {
      throw DemoFailure("motionctl draw ended with \(process.terminationStatus)")
    }
  }
}

/// What the kernel says of a process.
enum Kernel {
  /// How often the threads of a process were woken: their voluntary context switches.
  static func wakeUps(of processID: Int32) throws -> UInt64 {
    let tasks = "/proc/\(processID)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
      let status = (try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { UInt64($0) } ?? 0)
    }
  }

  /// Whether a process runs: one that has ended and waits to be counted out does not.
  static func isRunning(_ processID: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
      let state = stat.split(separator: ")").last?.split(separator: " ").first
    else { return false }
    return state != "Z" && state != "X"
  }
}
