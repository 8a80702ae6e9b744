import MotionModel

extension Runtime {
  /// Remote execution started: the executor is active, and a manipulation holds what it moves.
  func start(_ token: TokenName, moving names: [PropertyName], of record: ExecutorRecord) {
    guard record.tokens[token] == nil else { return }
    guard record.tokens.count < Limits.tokensPerExecutor else {
      refusedTokens += 1
      return
    }
    let slots = names.compactMap { properties.slot(of: PropertyReference(record.key.target, $0)) }
    record.tokens[token] = ExecutorRecord.Token(slots: slots, holdsWhatItWrites: names.isEmpty)
    record.idleSince = nil
    trace(.didStart(token, record.key))
    for slot in slots {
      properties[slot].stack.grip(record.handle, token: token)
      unsettle(slot)
    }
    refreshActivity(of: record)
  }

  /// Remote execution ended: what it held is let go, and the writer below goes on.
  func end(_ token: TokenName, of record: ExecutorRecord) {
    guard let ended = record.tokens.removeValue(forKey: token) else { return }
    trace(.didEnd(token, record.key))
    for slot in ended.slots where properties[slot].stack.release(record.handle, token: token) { unsettle(slot) }
    if ended.holdsWhatItWrites, !record.holdsWhatItWrites {
      for slot in writtenSlots(of: record) where properties[slot].stack.release(record.handle, token: nil) {
        unsettle(slot)
      }
    }
    noteIfEmpty(record)
    refreshActivity(of: record)
  }

  /// Ends every token of an executor whose worker is gone.
  func endTokens(of record: ExecutorRecord) {
    for token in record.tokens.keys.sorted() { end(token, of: record) }
  }
}
