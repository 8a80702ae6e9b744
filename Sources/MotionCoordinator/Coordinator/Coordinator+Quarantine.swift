import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel
import ZeroMQ

extension Coordinator {
  /// A plugin failed too often: it is not started again until somebody restarts it; others are untouched.
  func quarantine(_ plugin: PluginName, because culprit: WorkerSeat, _ reason: String) {
    let last = culprit.log.last.filter { !$0.isEmpty }.suffix(3).joined(separator: " | ")
    let text = "\(culprit.address): \(reason)" + (last.isEmpty ? "" : "; its last words: \(last)")
    logger.error("plugin \(plugin) is quarantined: \(text)", metadata: metadata(of: culprit))
    library.report("quarantined: \(text). Mend it, then run: motionctl plugin restart \(plugin)", of: plugin)
    let now = BootClock.now
    for seat in seatsInOrder where seat.address.plugin == plugin {
      if seat !== culprit { seat.life.quarantine("another worker of the plugin: \(text)") }
      kill(seat, SIGKILL)
      endLink(of: seat, at: now)
    }
    applyNow(.quarantined(plugin, reason: reason), at: now)
  }

  /// Drains a plugin's workers and starts them again; lifts its quarantine. A plugin with which something was wrong when
  /// it was found is read anew.
  ///
  /// - Throws: ``MotionModel/Refusal`` when there is no such plugin, or something is still wrong with it.
  func restart(_ plugin: PluginName, at now: Duration) throws(Refusal) {
    guard stopping == nil else {
      throw Refusal(.stopping, "motiond is stopping", remedy: "Restart the plugin when it is back")
    }
    guard library[plugin] != nil else {
      throw Refusal(
        .notFound, "there is no plugin \"\(plugin)\"", remedy: "See those that there are: motionctl list plugins")
    }
    if runtime.registry.plugins[plugin] == nil { try readAnew(plugin) }
    library.report("", of: plugin)
    // Whoever is owed something by the plugin needs it again.
    applyNow(.restored(plugin), at: now)
    for seat in seatsInOrder where seat.address.plugin == plugin {
      perform(seat.life.restart(at: now), for: seat, at: now)
    }
  }

  /// Reads a plugin that could not be registered again, and registers it.
  private func readAnew(_ plugin: PluginName) throws(Refusal) {
    guard recording == nil else {
      throw Refusal(
        .notFound, "plugin \(plugin) was not there when the recording began, which names the plugins once and for all",
        remedy: "Start motiond anew")
    }
    library.readAnew(plugin)
    register(plugin)
    guard let problem = library[plugin]?.problem, !problem.isEmpty else { return }
    throw Refusal(
      .notFound, "plugin \(plugin) cannot be used: \(problem)",
      remedy: "Mend it, then run: motionctl plugin restart \(plugin)")
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
