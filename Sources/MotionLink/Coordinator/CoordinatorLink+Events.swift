import MotionModel
import MotionWire

extension CoordinatorLink {
  /// Handles an update: passes on what is new in it, and acknowledges its events at once, so that they are not resent.
  mutating func updated(_ received: WorkerUpdate, at now: Duration) -> [CoordinatorAction] {
    guard state != .starting else { return unexpected() }
    let (update, isWhole) = shape.complete(received)
    if !isWhole { counted.gaps += 1 }
    let (events, isComplete) = inbox.take(update.events)
    for event in events { fold(event.event) }
    if !isComplete { counted.gaps += 1 }
    let frame = min(update.frame, announcedFrame)
    let isNewest = frame >= lastFrame
    let isNews = frame > lastFrame || !events.isEmpty || isNewest && !update.writes.isEmpty
    lastFrame = max(lastFrame, frame)
    let (hasAcknowledged, actions) = isComplete ? acknowledge(update.commandsApplied) : (false, [])
    guard isNews || hasAcknowledged else {
      if actions.isEmpty { counted.old += 1 }
      return actions
    }
    // Valid as of the time of sending: the update does not reflect a later plan, even if the worker has acknowledged
    // that plan meanwhile.
    var new = WorkerUpdate(
      frame: frame, writes: isNewest ? update.writes : [], events: events,
      commandsApplied: min(update.commandsApplied, acknowledgedCommand))
    // As its bytes have it.
    if !new.writes.isEmpty { new.shape = update.shape }
    // Otherwise its bytes say something else.
    let isSame = new.frame == update.frame && new.commandsApplied == update.commandsApplied
    if isSame, isNewest, update.events.isEmpty { new.encoded = update.encoded }
    return [.apply(new)] + actions + (events.isEmpty ? [] : heartbeat(at: now))
  }

  /// Handles a heartbeat. It acknowledges commands only if no event caused by them is still in transit.
  mutating func heard(_ heartbeat: WorkerHeartbeat) -> [CoordinatorAction] {
    guard state != .starting else { return unexpected() }
    silence.announced(heartbeat.interval)
    counted.conflatedTicks = max(counted.conflatedTicks, heartbeat.conflatedTicks)
    guard heartbeat.lastEvent == inbox.lastApplied else { return [] }
    let report = compare(heartbeat.tokens)
    let (hasAcknowledged, actions) = acknowledge(heartbeat.commandsApplied)
    guard hasAcknowledged else { return report + actions }
    return report + [.apply(WorkerUpdate(frame: lastFrame, commandsApplied: acknowledgedCommand))] + actions
  }

  /// Records how far the worker has got, and whether that is new. A number above the last command counts as the last
  /// command.
  private mutating func acknowledge(_ command: UInt64) -> (isNews: Bool, actions: [CoordinatorAction]) {
    let applied = min(command, lastCommand)
    let isNews = applied > acknowledgedCommand
    acknowledgedCommand = max(acknowledgedCommand, applied)
    guard case .provisioning(let wanted) = state, applied >= wanted else { return (isNews, []) }
    state = .ready
    return (isNews, [.provisioned])
  }

  private mutating func fold(_ event: WorkerEvent) {
    switch event {
    case .started(let executor, let name, _, _): tokens.insert(name, of: executor)
    case .ended(let executor, let name): tokens.remove(name, of: executor)
    case .activity, .finished, .failed, .emitted: break
    }
  }

  /// Compares the token sets when both ends have processed the same events: the sets must be equal. Each difference is
  /// reported once.
  private mutating func compare(_ theirs: UInt64) -> [CoordinatorAction] {
    guard theirs != tokens.stableHash else {
      reportedTokens = nil
      return []
    }
    guard reportedTokens != theirs else { return [] }
    reportedTokens = theirs
    return [
      .report(
        "worker \(address) has other tokens than its events state after event \(inbox.lastApplied): "
          + "an executor started or ended remote execution without an event; restart the plugin")
    ]
  }
}
