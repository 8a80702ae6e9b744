import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel
import ZeroMQ

extension Coordinator {
  /// Quarantines a plugin that failed too often: it is not started again until an operator restarts it; others are
  /// untouched.
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

  /// Extends the refusal of a type that no usable plugin offers: names the plugin that would offer it, if it had no
  /// problem.
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

  /// The same for the refused operation of a transaction.
  func explain(_ refusal: Refusal, of transaction: Transaction) -> Refusal {
    guard let index = refusal.operation, case .add(let intention, _, _) = transaction.log[index] else { return refusal }
    return explain(refusal, of: intention.type)
  }
}
