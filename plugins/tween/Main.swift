import MotionExecutorKit
import MotionExecutors

/// The plugin `tween`: a worker that holds the tween executor.
@main struct Main {
  static func main() { Worker(TweenExecutor.self).run() }
}
