package import MotionModel

extension IntentionCatalog {
  /// The built-in types: physics and compositions in process, tween and gestures by plugins.
  package static func builtIn() throws -> IntentionCatalog {
    var catalog = IntentionCatalog()
    for description in BuiltInIntentions.all {
      let plugin: PluginName = description.executor == "Tween" ? "tween" : "gesture"
      try catalog.add(description, from: isInProcess(description) ? .inProcess : .plugin(plugin))
    }
    return catalog
  }
}

private func isInProcess(_ description: IntentionDescription) -> Bool {
  (BuiltInIntentions.inProcess + BuiltInIntentions.compositions).contains(description)
}
