import MotionExecutorKit
import MotionExecutors

/// The plugin `tween`: a worker with the executors for tweens, and for squash and stretch.
@main struct Main {
  static func main() { Worker(TweenExecutor.self, SquashAndStretchExecutor.self).run() }
}
