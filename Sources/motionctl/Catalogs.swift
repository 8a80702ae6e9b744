import MotionClient
import MotionCore
import MotionModel

extension IntentionCatalog {
  /// The types that a daemon described. Who fulfils them is the daemon's business.
  ///
  /// - Parameter pluginPaths: where the daemon looked for plugins, if it tells.
  static func knowing(_ types: [IntentionDescription], pluginPaths: [String] = []) -> IntentionCatalog {
    var catalog = IntentionCatalog.knowingEasings()
    catalog.pluginSource = .folders(pluginPaths)
    for type in types {
      // One provider for all, so that none is in conflict with another: the daemon has decided about that.
      _ = try? catalog.add(type, from: .inProcess)
    }
    return catalog
  }
}

extension MotionClient {
  /// The daemon's types. If it lacks some of a shipped plugin, the catalog knows where it looked for plugins, for the remedy of a
  /// refusal.
  func catalog() throws(MotionClientError) -> IntentionCatalog {
    let types = try types()
    let known = Set(types.map(\.type))
    let isComplete = BuiltInIntentions.shipped.values.allSatisfy { $0.allSatisfy(known.contains) }
    return .knowing(types, pluginPaths: isComplete ? [] : try status().pluginPaths)
  }
}
