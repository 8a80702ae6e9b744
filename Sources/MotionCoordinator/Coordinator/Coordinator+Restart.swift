import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel

extension Coordinator {
  /// Replaces a plugin's workers by new ones, and lifts its quarantine. Its folder is read again.
  ///
  /// A worker that serves continues until its successor has been started and asks for its snapshot; only then is it
  /// drained. So motion continues meanwhile, and a successor that does not come changes nothing.
  ///
  /// - Throws: ``MotionModel/Refusal`` when there is no such plugin, the plugin has a problem, or it does not fit the
  ///   executors and plans that live in it; then everything stays as it is.
  func restart(_ plugin: PluginName, at now: Duration) throws(Refusal) {
    guard stopping == nil else {
      throw Refusal(.stopping, "motiond is stopping", remedy: "Restart the plugin when it is back")
    }
    guard library[plugin] != nil else {
      throw Refusal(
        .notFound, "there is no plugin \"\(plugin)\"", remedy: "See those that there are: motionctl list plugins")
    }
    if runtime.registry.plugins[plugin] == nil { try readAnew(plugin) } else { try renew(plugin) }
    library.report("", of: plugin)
    let slots = slotsInOrder.filter { $0.address.plugin == plugin }
    for slot in slots { perform(slot.suspicion.end(), for: slot, at: now) }
    if runtime.hasQuarantinedPlans(of: plugin) {
      // The successors may try the plans on which earlier workers crashed.
      for slot in slots { applyNow(.withheld(slot.address, []), at: now) }
    }
    // Executors with pending plans need the plugin's workers again.
    applyNow(.restored(plugin), at: now)
    for slot in slots {
      slot.swapProblem = ""
      // A worker that is waited for, and not started here, has no successor before it has gone.
      if slot.remote == nil, slot.life.state == .running, slot.link?.isProvisioned == true {
        beginSwap(of: slot, at: now)
      } else if let fresh = makeSlot(for: slot.address) {
        (slot.manifest, slot.launch) = (fresh.manifest, fresh.launch)
        perform(slot.life.restart(at: now), for: slot, at: now)
      }
      if successors[slot.address] == nil { applyNow(.withheld(slot.address, nil), at: now) }
    }
  }

  /// Reads a plugin again that could not be registered, and registers it.
  private func readAnew(_ plugin: PluginName) throws(Refusal) {
    guard !isRecording else {
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

  /// Reads a registered plugin again: its files are checked, and its new manifest has to fit the plans that live in it.
  private func renew(_ plugin: PluginName) throws(Refusal) {
    guard let known = library[plugin] else { return }
    let found = library.load(plugin, from: known.path)
    guard let manifest = found.manifest, found.problem.isEmpty else {
      throw Refusal(
        .notFound, "plugin \(plugin) cannot be started as it is now, so its workers stay as they are: \(found.problem)",
        remedy: "Mend it, then run: motionctl plugin restart \(plugin)")
    }
    if manifest != runtime.registry.plugins[plugin] {
      runtime.registry = try registry(with: manifest, of: plugin)
      logger.notice("plugin \(plugin) says something else of itself now, and that holds from now on")
    }
    library.put(found)
  }

  /// The registry with the plugin's new manifest.
  private func registry(with manifest: PluginManifest, of plugin: PluginName) throws(Refusal) -> ExecutorRegistry {
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
        .notFound, "plugin \(plugin) offers something else now, and a recording names the plugins once and for all",
        remedy: "Put its former plugin.json back, or start motiond anew")
    }
    guard manifest.instances == before?.instances || !runtime.needs(plugin) else {
      throw Refusal(
        .notFound,
        "plugin \(plugin) has \(manifest.instances) instances now and had \(before?.instances ?? 1), on which "
          + "its executors are spread", remedy: "Forget the targets it moves first, or start motiond anew")
    }
    let incompatiblePlans = runtime.incompatiblePlans(of: plugin, in: registry.catalog)
    guard let first = incompatiblePlans.first else { return registry }
    throw Refusal(
      .notFound,
      "\(incompatiblePlans.count) of the intentions that live do not fit the plugin.json of \(plugin) as it is now; the first is "
        + "\(first)",
      remedy:
        "Remove them (motionctl stop TARGET), or let plugin.json offer their types as before; its workers stay as "
        + "they are")
  }

  // MARK: Successors

  /// All slots: the serving ones, the successors and the departing ones.
  var allSlots: [WorkerSlot] {
    if successors.isEmpty, departing.isEmpty { return slotsInOrder }
    return slotsInOrder + departing + successors.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The slot whose present life has this incarnation.
  func slot(of address: WorkerAddress, incarnation: UInt64) -> WorkerSlot? {
    if let slot = slots[address], slot.incarnation == incarnation { return slot }
    if let slot = successors[address], slot.incarnation == incarnation { return slot }
    return departing.first { $0.address == address && $0.incarnation == incarnation }
  }

  /// Whether a slot is a successor or departing, so that its events do not affect clients.
  func isAside(_ slot: WorkerSlot) -> Bool { slots[slot.address] !== slot }

  /// Starts a successor beside a worker that serves.
  private func beginSwap(of slot: WorkerSlot, at now: Duration) {
    // A successor that is already starting was made from the earlier files, which may be out of date.
    if let earlier = successors.removeValue(forKey: slot.address) { dismiss(earlier, at: now) }
    guard let successor = makeSlot(for: slot.address) else { return }
    successors[slot.address] = successor
    logger.info("\(slot.address) is being replaced")
    perform(successor.life.need(at: now), for: successor, at: now)
  }

  /// A successor is ready and asks for its snapshot: it takes over, and the worker before it is retired.
  func takeOver(_ successor: WorkerSlot, at now: Duration) {
    guard let old = slots[successor.address] else { return }
    perform(old.life.retire(at: now), for: old, at: now)
    endLink(of: old, at: now)
    departing.append(old)
    promote(successor, at: now)
  }

  /// Moves a successor into the slot, at whatever stage of its start it is.
  func promote(_ successor: WorkerSlot, at now: Duration) {
    let address = successor.address
    successors[address] = nil
    if let old = slots[address] {
      perform(old.life.retire(at: now), for: old, at: now)
      successor.life.succeed(old.life)
      successor.earlierCounters += old.counters
      if !departing.contains(where: { $0 === old }), old.process != nil { departing.append(old) }
    }
    slots[address] = successor
    if let index = slotsInOrder.firstIndex(where: { $0.address == address }) { slotsInOrder[index] = successor }
    // The need was recorded in its predecessor.
    if runtime.executorCount(in: address) == 0 { successor.life.release(at: now) }
    // The plans on which its predecessors crashed were withheld until here.
    applyNow(.withheld(address, nil), at: now)
  }

  /// Ends a worker that does not hold the slot.
  private func dismiss(_ slot: WorkerSlot, at now: Duration) {
    departing.append(slot)
    perform(slot.life.retire(at: now), for: slot, at: now)
    kill(slot, SIGKILL)
    endLink(of: slot, at: now)
  }

  /// Handles the end of a worker that did not hold the slot.
  func departed(_ slot: WorkerSlot, _ reason: String, at now: Duration) {
    _ = slot.life.retire(at: now)
    _ = slot.life.died(reason, at: now)
    departing.removeAll { $0 === slot }
    if successors[slot.address] === slot {
      successors[slot.address] = nil
      let words = lastWords(of: slot, reason)
      slots[slot.address]?.swapProblem = "its successor died: \(words)"
      applyNow(.withheld(slot.address, nil), at: now)
      logger.error("\(slot.address) is not replaced, its successor died: \(words)")
    } else {
      slots[slot.address]?.life.note(formerEnd: reason)
      logger.info("\(slot.address), which was replaced, has ended: \(reason)")
    }
    if library[slot.address.plugin]?.isRemoved == true { dropRemovedPlugins() }
    finishStoppingIfDone()
  }
}
