import MotionExecutorKit
import MotionExecutors

/// The plugin `tween`: a worker that holds the executors of tweens, and of what stretches as it moves.
@main struct Main {
  static func main() { Worker(TweenExecutor.self, SquashAndStretchExecutor.self).run() }
}
