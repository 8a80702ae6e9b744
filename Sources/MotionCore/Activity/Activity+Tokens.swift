import MotionModel

extension Activity {
  /// Starts remote execution: the executor is active, and a manipulation holds the properties that it moves.
  ///
  /// - Parameter places: the values from which the samples of its manipulation count; those of other lanes are skipped.
  func start(
    _ token: TokenName, moving names: [PropertyName], from places: [Lanes] = [], of record: ExecutorRecord
  ) {
    guard record.tokens[token] == nil else { return }
    guard record.tokens.count < Limits.tokensPerExecutor else {
      log.refusals.tokens += 1
      log.note(.refusals, .tokenRefused(token, record.key))
      return
    }
    let slots = names.compactMap { plans.slot(of: $0, on: record.target) }
    tokens += 1
    record.tokens[token] = ExecutorRecord.Token(
      slots: slots, bases: bases(names, places, of: record), holdsWhatItWrites: names.isEmpty)
    record.idleSince = nil
    log.note(.executors, .tokenStarted(token, record.key))
    for slot in slots {
      plans.movement.properties[slot].stack.grip(record.handle, token: token)
      plans.movement.unsettle(slot)
      // The executor now regards itself as the driver, which a plan of a higher priority may prevent.
      if plans.movement.properties[slot].silent.contains(record.handle) {
        plans.movement.givenWhileSilent.append((slot, record.handle))
      }
    }
    refresh(record)
  }

  private func bases(
    _ names: [PropertyName], _ places: [Lanes], of record: ExecutorRecord
  ) -> [PropertyTable.Slot: Lanes] {
    var bases: [PropertyTable.Slot: Lanes] = [:]
    for (name, place) in zip(names, places) {
      guard let slot = plans.slot(of: name, on: record.target),
        plans.movement.properties.lanes(at: slot) == place.count, place.isFinite
      else { continue }
      bases[slot] = place
    }
    return bases
  }

  /// Ends remote execution: its properties are released, and the writer below continues.
  func end(_ token: TokenName, of record: ExecutorRecord) {
    guard let ended = record.tokens.removeValue(forKey: token) else { return }
    tokens -= 1
    log.note(.executors, .tokenEnded(token, record.key))
    for slot in ended.slots where plans.movement.properties[slot].stack.release(record.handle, token: token) {
      let isLast =
        plans.movement.properties[slot].actor == record.handle && plans.movement.properties[slot].stack.driver == nil
      if isLast, plans.movement.properties.motions.changeIfPresent(slot, { $0.comeToRest() }) == true {
        plans.movement.watch(slot)
      }
      plans.movement.unsettle(slot)
    }
    if ended.holdsWhatItWrites, !record.holdsWhatItWrites {
      for slot in plans.writtenSlots(of: record)
      where plans.movement.properties[slot].stack.release(record.handle, token: nil) {
        plans.movement.unsettle(slot)
      }
    }
    noteIfEmpty(record)
    refresh(record)
  }

  /// Ends every token of an executor whose worker is gone.
  func endTokens(of record: ExecutorRecord) {
    for token in record.tokens.keys.sorted() { end(token, of: record) }
  }
}
