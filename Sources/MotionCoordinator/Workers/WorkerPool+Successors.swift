import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel

/// Replaces workers by new ones.
extension WorkerPool {
  /// Replaces a plugin's workers by new ones, and lifts its quarantine. Its folder is read again.
  ///
  /// A worker that serves continues until its successor has been started and requests its snapshot; only then is it
  /// drained. So motion continues meanwhile, and a successor that does not come changes nothing.
  ///
  /// - Parameter isRecording: whether the run is recorded: a recording names the plugins once and for all.
  /// - Throws: ``MotionModel/Refusal`` when there is no such plugin, the plugin has a problem, or it does not fit the
  ///   executors and plans that live in it; then everything stays as it is.
  mutating func restart(_ plugin: PluginName, isRecording: Bool, at now: Duration) throws(Refusal) -> [Action] {
    guard !isStopping else {
      throw Refusal(.stopping, "motiond is stopping", remedy: "Restart the plugin when it is back")
    }
    guard library[plugin] != nil else {
      throw Refusal(
        .notFound, "there is no plugin \"\(plugin)\"", remedy: "List the plugins: motionctl list plugins")
    }
    if runtime.registry.plugins[plugin] == nil {
      try readAnew(plugin, isRecording: isRecording)
    } else {
      try renew(plugin, isRecording: isRecording)
    }
    library.report("", of: plugin)
    let slots = table.slots(of: plugin)
    var actions: [Action] = []
    for slot in slots { actions += perform(slot.suspicion.end(), for: slot, at: now) }
    if runtime.hasQuarantinedPlans(of: plugin) {
      // The successors may try the plans on which earlier workers crashed.
      for slot in slots { actions.append(.apply(.withheld(slot.address, []))) }
    }
    // Executors with pending plans need the plugin's workers again.
    actions.append(.apply(.restored(plugin)))
    for slot in slots { actions.append(.then(.replace(slot))) }
    return actions
  }

  /// Starts a successor of a worker that serves, or restarts one that does not.
  mutating func replace(_ slot: WorkerSlot, at now: Duration) -> [Action] {
    var actions: [Action] = []
    slot.swapProblem = ""
    // A worker that is waited for, and not started here, has no successor before it has gone.
    if slot.remote == nil, slot.life.state == .running, slot.link?.isProvisioned == true {
      actions += beginSwap(of: slot, at: now)
    } else if let fresh = makeSlot(for: slot.address) {
      slot.program = fresh.program
      actions += perform(slot.life.restart(at: now), for: slot, at: now)
    }
    if table.successors[slot.address] == nil { actions.append(.apply(.withheld(slot.address, nil))) }
    return actions
  }

  // MARK: Reading a plugin again

  /// Reads a plugin again that could not be registered, and registers it.
  private mutating func readAnew(_ plugin: PluginName, isRecording: Bool) throws(Refusal) {
    guard !isRecording else {
      throw Refusal(
        .notFound,
        "plugin \(plugin) did not exist when the recording began, and a recording lists the plugins only once",
        remedy: "Restart motiond")
    }
    library.readAnew(plugin)
    register(plugin)
    guard let problem = library[plugin]?.problem, !problem.isEmpty else { return }
    throw Refusal(
      .notFound, "plugin \(plugin) cannot be used: \(problem)",
      remedy: "Fix the plugin, then run: motionctl plugin restart \(plugin)")
  }

  /// Reads a registered plugin again: its files are checked, and its new manifest has to fit the plans that live in it.
  private mutating func renew(_ plugin: PluginName, isRecording: Bool) throws(Refusal) {
    guard let known = library[plugin] else { return }
    let found = library.load(plugin, from: known.path)
    guard let manifest = found.manifest, found.problem.isEmpty else {
      throw Refusal(
        .notFound, "plugin \(plugin) cannot be restarted, and its present workers continue: \(found.problem)",
        remedy: "Fix the plugin, then run: motionctl plugin restart \(plugin)")
    }
    if manifest != runtime.registry.plugins[plugin] {
      runtime.registry = try registry(with: manifest, of: plugin, isRecording: isRecording)
      logger.notice("plugin \(plugin): manifest changed; the new version is in effect")
    }
    library.put(found)
  }

  /// The registry with the plugin's new manifest.
  private func registry(
    with manifest: PluginManifest, of plugin: PluginName, isRecording: Bool
  ) throws(Refusal) -> ExecutorRegistry {
    let before = runtime.registry.plugins[plugin]
    var registry = runtime.registry
    registry.unregister(plugin)
    try registry.register(manifest)
    guard
      manifest.intentions != before?.intentions || manifest.instances != before?.instances
        || manifest.unnamedOnly != before?.unnamedOnly
    else { return registry }
    guard !isRecording else {
      throw Refusal(
        .notFound, "plugin \(plugin) has other types now, and a recording lists the plugins only once",
        remedy: "Put its former plugin.json back, or restart motiond")
    }
    guard manifest.instances == before?.instances || !runtime.needs(plugin) else {
      throw Refusal(
        .notFound,
        "plugin \(plugin) has \(manifest.instances) instances now and had \(before?.instances ?? 1), to which "
          + "its executors are distributed", remedy: "Forget the targets it moves first, or restart motiond")
    }
    let incompatiblePlans = runtime.incompatiblePlans(of: plugin, in: registry.catalog)
    guard let first = incompatiblePlans.first else { return registry }
    throw Refusal(
      .notFound,
      "\(incompatiblePlans.count) live intentions do not match the new plugin.json of \(plugin); the first is "
        + "\(first)",
      remedy:
        "Remove them (motionctl stop TARGET), or restore their types in plugin.json; the present workers "
        + "continue")
  }

  // MARK: Successors

  /// Starts a successor beside a worker that serves.
  private mutating func beginSwap(of slot: WorkerSlot, at now: Duration) -> [Action] {
    var actions: [Action] = []
    // A successor that is already starting was made from the earlier files, which may be out of date.
    if let earlier = table.removeSuccessor(of: slot.address) { actions += dismiss(earlier, at: now) }
    guard let successor = makeSlot(for: slot.address) else { return actions }
    table.add(successor: successor)
    logger.info("\(slot.address) is being replaced")
    return actions + perform(successor.life.need(at: now), for: successor, at: now)
  }

  /// A successor is ready and requests its snapshot: it takes over, and the worker before it is retired.
  mutating func takeOver(_ successor: WorkerSlot, at now: Duration) -> [Action] {
    guard let former = table[successor.address] else { return [] }
    return perform(former.life.retire(at: now), for: former, at: now) + endLink(of: former)
      + [.then(.takeOver(successor, from: former))]
  }

  /// The runtime has applied that the former worker no longer serves.
  mutating func takeOver(_ successor: WorkerSlot, from former: WorkerSlot, at now: Duration) -> [Action] {
    table.depart(former)
    return promote(successor, at: now)
  }

  /// Moves a successor into the slot, at whatever stage of its start it is.
  mutating func promote(_ successor: WorkerSlot, at now: Duration) -> [Action] {
    var actions: [Action] = []
    if let former = table.promote(successor) {
      actions += perform(former.life.retire(at: now), for: former, at: now)
      successor.succeed(former)
      if former.process != nil { table.depart(former) }
    }
    // The need was recorded in its predecessor.
    if runtime.executorCount(in: successor.address) == 0 { successor.life.release(at: now) }
    // The plans on which its predecessors crashed were withheld until here.
    return actions + [.apply(.withheld(successor.address, nil))]
  }

  /// Ends a worker that does not hold the slot.
  private mutating func dismiss(_ slot: WorkerSlot, at now: Duration) -> [Action] {
    table.depart(slot)
    let actions = perform(slot.life.retire(at: now), for: slot, at: now)
    launcher.kill(slot, SIGKILL)
    return actions + endLink(of: slot)
  }

  /// Handles the end of a worker that did not hold the slot.
  mutating func departed(_ slot: WorkerSlot, _ reason: String, at now: Duration) -> [Action] {
    _ = slot.life.retire(at: now)
    _ = slot.life.died(reason, at: now)
    table.removeDeparting(slot)
    var actions: [Action] = []
    if table.successors[slot.address] === slot {
      _ = table.removeSuccessor(of: slot.address)
      let words = lastWords(of: slot, reason)
      table[slot.address]?.swapProblem = "its successor died: \(words)"
      actions.append(.apply(.withheld(slot.address, nil)))
      logger.error("\(slot.address) is not replaced, its successor died: \(words)")
    } else {
      table[slot.address]?.life.note(formerEnd: reason)
      logger.info("\(slot.address), which was replaced, has ended: \(reason)")
    }
    return actions + dropIfRemoved(slot.address.plugin) + [.ended]
  }
}
