import MotionClient
import MotionCore
import MotionModel

extension IntentionCatalog {
  /// Makes a catalog of the types that a daemon described. The daemon alone decides which plugin fulfils them.
  ///
  /// - Parameter pluginPaths: the folders that the daemon searched for plugins, if it reports them.
  static func knowing(_ types: [IntentionDescription], pluginPaths: [String] = []) -> IntentionCatalog {
    var catalog = IntentionCatalog.knowingEasings()
    catalog.pluginSource = .folders(pluginPaths)
    for type in types {
      // One provider for all, so that no two are in conflict: the daemon has already chosen the provider.
      _ = try? catalog.add(type, from: .inProcess)
    }
    return catalog
  }
}

extension MotionClient {
  /// The daemon's types. If types of a shipped plugin are missing, the catalog has the folders that the daemon searched
  /// for plugins, for the remedy of a refusal.
  func catalog() throws(MotionClientError) -> IntentionCatalog {
    let types = try types()
    let known = Set(types.map(\.type))
    let isComplete = BuiltInIntentions.shipped.values.allSatisfy { $0.allSatisfy(known.contains) }
    return .knowing(types, pluginPaths: isComplete ? [] : try status().pluginPaths)
  }
}
