import MotionCore
import MotionModel

extension IntentionCatalog {
  /// The types that a daemon described. Who fulfils them is the daemon's business.
  static func knowing(_ types: [IntentionDescription]) -> IntentionCatalog {
    var catalog = IntentionCatalog.knowingEasings()
    catalog.pluginSource = .daemon
    for type in types {
      // One provider for all, so that none is in conflict with another: the daemon has decided about that.
      _ = try? catalog.add(type, from: .inProcess)
    }
    return catalog
  }
}
