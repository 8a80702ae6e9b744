import MotionExecutorKit
import MotionExecutors

/// The plugin `gesture`: a worker with the gesture executor.
@main struct Main {
  static func main() { Worker(GestureExecutor.self).run() }
}
