import Foundation
import Glibc
import MotionModel

/// Clocks of a daemon and its workers that a test can set while they run.
final class ShiftedClocks {
  private let directory: TestDirectory
  private let file: Int32

  /// Compiles the library between the programs and the clocks.
  init() throws {
    directory = try TestDirectory()
    // Swift's own C compiler is on the path where Swift is; else it is beside the program that runs these tests.
    var folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map(String.init)
    let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    folders.append(runner.components(separatedBy: "/usr/")[0] + "/usr/bin")
    let places = ["clang", "cc"].flatMap { name in folders.map { "\($0)/\(name)" } }
    guard let compiler = places.first(where: { access($0, X_OK) == 0 }) else {
      throw Problem("no C compiler is on the PATH; that of the Swift toolchain is called clang")
    }
    let process = try ChildProcess(
      compiler,
      ["-shared", "-fPIC", "-O1", "-o", directory["clock.so"], Programs.source("Tests/Fixtures/Preload/clock.c")],
      environment: ["PATH": folders.joined(separator: ":")], output: directory["said"], errors: directory["said"])
    guard try process.awaitEnd() == .exited(0) else { throw Problem("clock.c: \(directory.text(of: "said"))") }
    file = open(directory["shifts"], O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try set()
  }

  deinit { close(file) }

  /// The environment that makes a daemon use these clocks, and which it lists in its plugins' manifests.
  var environment: [String: String] { ["LD_PRELOAD": directory["clock.so"], "FAULT_CLOCK": directory["shifts"]] }

  /// A plugin whose workers use these clocks.
  func plugin(_ plugin: PluginFolder) -> PluginFolder {
    var plugin = plugin
    plugin.manifest.environment += environment.keys.sorted()
    return plugin
  }

  /// Sets both clocks ahead of the machine's by these durations; they jump there at once.
  func set(wall: Duration = .zero, boot: Duration = .zero) throws {
    let shifts = [wall, boot].map { Int64($0 / .nanoseconds(1)) }
    guard pwrite(file, shifts, 16, 0) == 16 else { throw Problem("the shifts: \(String(cString: strerror(errno)))") }
  }
}
