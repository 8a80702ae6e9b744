import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel
import ZeroMQ

extension Coordinator {
  /// A plugin failed too often: it is not started again until somebody restarts it; others are untouched.
  func quarantine(_ plugin: PluginName, because culprit: WorkerSlot, _ reason: String) {
    let last = culprit.log.last.filter { !$0.isEmpty }.suffix(3).joined(separator: " | ")
    let text = "\(culprit.address): \(reason)" + (last.isEmpty ? "" : "; its last words: \(last)")
    logger.error("plugin \(plugin) is quarantined: \(text)", metadata: metadata(of: culprit))
    library.report("quarantined: \(text). Mend it, then run: motionctl plugin restart \(plugin)", of: plugin)
    let now = machine.now
    for slot in slotsInOrder where slot.address.plugin == plugin {
      if slot !== culprit { slot.life.quarantine("another worker of the plugin: \(text)") }
      kill(slot, SIGKILL)
      endLink(of: slot, at: now)
      perform(slot.suspicion.end(), for: slot, at: now)
    }
    for slot in successors.values where slot.address.plugin == plugin { kill(slot, SIGKILL) }
    applyNow(.quarantined(plugin, reason: reason), at: now)
  }

  /// A refusal of a type that nobody offers says which plugin would, if something were not wrong with it.
  func explain(_ refusal: Refusal, of type: IntentionType?) -> Refusal {
    guard refusal.code == .unknownType, let type,
      let plugin = library.plugins.first(where: { plugin in
        !plugin.problem.isEmpty && plugin.manifest?.intentions.contains { $0.type == type } == true
      })
    else { return refusal }
    var refusal = refusal
    refusal.remedy = "Plugin \(plugin.name) would fulfil it, but cannot be used: \(plugin.problem)"
    return refusal
  }

  /// Likewise, for the operation of a transaction that was refused.
  func explain(_ refusal: Refusal, of transaction: Transaction) -> Refusal {
    guard let index = refusal.operation, case .add(let intention, _, _) = transaction.log[index] else { return refusal }
    return explain(refusal, of: intention.type)
  }
}
