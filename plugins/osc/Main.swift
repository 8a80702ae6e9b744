import Glibc
import MotionExecutorKit
import MotionExecutors

/// The plugin `osc`: a worker that sends properties by Open Sound Control.
@main struct Main {
  static func main() {
    Worker(declarations: [OSCExecutor.declaration(report: log)]).run()
  }

  /// Writes a line to standard error, which is the plugin's log.
  private static func log(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
