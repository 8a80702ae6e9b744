import MotionModel

/// The ledger of workers: the commands that each was sent and has acknowledged, the plugins that do not serve, and the
/// events that take effect at the end of the frame.
final class WorkerLedger {
  /// How workers are reached. Without a port, executors of plugins never receive their intentions.
  weak var port: (any WorkerPort)?
  var records: [WorkerAddress: WorkerRecord] = [:]
  /// The plugins that failed too often, with the reason.
  var quarantined: [PluginName: String] = [:]
  /// How many states of read properties may be on their way to a worker until others wait.
  var mostReads = Limits.unacknowledgedReads
  /// Events of workers in this frame that take effect at its end.
  var endings: [WorkerEndings] = []

  /// Sends a command to a worker, if the worker is provisioned.
  func send(_ command: WorkerCommand, to worker: WorkerAddress) {
    guard records[worker]?.isProvisioned == true else { return }
    records[worker]?.commandsSent += 1
    port?.send(command, to: worker)
  }

  /// Whether states of read properties have to wait until a worker has acknowledged others.
  func isBehind(_ worker: WorkerAddress) -> Bool { (records[worker]?.reads.total ?? 0) >= mostReads }

  /// Sends the states of read properties to a worker, if it is provisioned, and notes those that have to wait.
  ///
  /// - Parameter count: how many they are, also without a port.
  func send(
    _ properties: [ReadProperty], _ count: Int, whileHolding held: [PropertyTable.Slot], to worker: WorkerAddress
  ) {
    guard records[worker]?.isProvisioned == true else { return }
    records[worker]?.reads.held.formUnion(held)
    guard count > 0 else { return }
    send(.properties(properties), to: worker)
    let number = records[worker]?.commandsSent ?? 0
    records[worker]?.reads.note(number, of: count)
  }

  /// Whether a worker has received a snapshot in its present life.
  func isProvisioned(_ worker: WorkerAddress) -> Bool { records[worker]?.isProvisioned == true }

  /// The executors in a worker, in order of creation.
  func executors(in worker: WorkerAddress) -> [ExecutorHandle] {
    (records[worker]?.executors ?? []).sorted()
  }

  /// Refuses a plan whose plugin does not serve.
  func checkQuarantine(of reading: PlanReading) throws(Refusal) {
    guard !quarantined.isEmpty, case .plugin(let plugin) = reading.entry.provider, let reason = quarantined[plugin]
    else { return }
    throw .quarantined(plugin, reason)
  }

  /// Takes out the endings of all workers, or of one.
  func takeEndings(of worker: WorkerAddress? = nil) -> [WorkerEndings] {
    guard !endings.isEmpty else { return [] }
    guard let worker else {
      defer { endings = [] }
      return endings
    }
    let taken = endings.filter { $0.worker == worker }
    if !taken.isEmpty { endings.removeAll { $0.worker == worker } }
    return taken
  }

  // MARK: Bisections

  /// Whether a bisection withholds an intention from a worker.
  func withholds(_ identity: IntentionIdentity, from worker: WorkerAddress) -> Bool {
    records[worker]?.bisection?.withheld.contains(identity) == true
  }

  /// Whether an intention cannot be handed to its worker now, because the worker is not provisioned or a bisection is
  /// under way. An intention that is added during a bisection is withheld to its end, so that only the tested
  /// intentions can cause a crash.
  func keepsBack(_ identity: IntentionIdentity, from worker: WorkerAddress) -> Bool {
    guard records[worker]?.bisection == nil else {
      records[worker]?.bisection?.withheld.insert(identity)
      return true
    }
    return !isProvisioned(worker)
  }
}
