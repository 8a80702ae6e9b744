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
    // The types of these are fulfilled here, and the others of a plugin wait for it.
    for var plugin in plugins {
      plugin.intentions.removeAll { catalog[$0.type] != nil }
      if !plugin.intentions.isEmpty { try? register(plugin) }
    }
  }
}
