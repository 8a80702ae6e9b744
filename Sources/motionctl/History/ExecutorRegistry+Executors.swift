import MotionCore
import MotionExecutors
import MotionModel

extension ExecutorRegistry {
  /// The executors of this process, and the types of the plugins that were loaded.
  init(with plugins: [PluginManifest]) {
    self.init()
    // What SquashAndStretch does depends on what it has seen before: only its worker knows that.
    for declaration in [ExecutorDeclaration(TweenExecutor.self), ExecutorDeclaration(GestureExecutor.self)] {
      try? register(declaration)
    }
    // One that claims a type of these is fulfilled here.
    for plugin in plugins { try? register(plugin) }
  }
}
