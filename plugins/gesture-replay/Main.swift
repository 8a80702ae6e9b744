import Glibc
import MotionExecutorKit
import MotionExecutors

/// The plugin `gesture-replay`: a worker that replays a recorded touch, `trace.jsonl` beside the program or the file
/// that `--trace` names.
@main struct Main {
  static func main() {
    let path = tracePath(CommandLine.arguments)
    switch trace(at: path) {
    case .success(let trace): Worker(declarations: [GestureReplayExecutor.declaration(replaying: trace)]).run()
    case .failure(let error):
      let text = Array("gesture-replay: the trace \(path) cannot be replayed: \(error)\n".utf8)
      _ = write(STDERR_FILENO, text, text.count)
      exit(2)
    }
  }

  /// The trace in a file. Not inlined: around a call that never returns, Swift 6.3's optimiser makes of these two throws
  /// code that its own verifier refuses.
  @inline(never)
  private static func trace(at path: String) -> Result<PointerTrace, any Error> {
    Result { try PointerTrace(parsing: try contents(of: path)) }
  }

  /// The file beside the program as it was called, so that a link to the program from a plugin's folder is enough.
  private static func tracePath(_ arguments: [String]) -> String {
    if let index = arguments.firstIndex(of: "--trace"), index + 1 < arguments.count { return arguments[index + 1] }
    let folder = arguments.first?.split(separator: "/", omittingEmptySubsequences: false).dropLast() ?? []
    return (folder + ["trace.jsonl"]).joined(separator: "/")
  }

  /// What the file holds, as far as a trace may be long, and a byte more if it is longer.
  private static func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Unreadable(reason: String(cString: strerror(errno))) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= PointerTrace.largestBytes {
      let count = fread(&block, 1, block.count, file)
      guard count > 0 else { break }
      bytes += block.prefix(count)
    }
    return bytes
  }
}

private struct Unreadable: Error, CustomStringConvertible {
  let reason: String
  var description: String { "\(reason); put it beside the program, or name another one with --trace" }
}
