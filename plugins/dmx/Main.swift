import Glibc
import MotionExecutorKit
import MotionExecutors

/// The plugin `dmx`: a worker that sends properties to lamps and heads by sACN and Art-Net.
@main struct Main {
  static func main() {
    // The endpoint of the link is the same in each start of a motiond, and another for another motiond.
    let instance = getenv("MOTION_LINK").map { String(cString: $0) } ?? "motiond"
    let outputs = DMXOutputs(instance: instance, report: log)
    var worker = Worker(declarations: [outputs.declaration])
    worker.finish = outputs.end
    worker.run()
  }

  /// Writes a line to standard error, which is the plugin's log.
  private static func log(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
