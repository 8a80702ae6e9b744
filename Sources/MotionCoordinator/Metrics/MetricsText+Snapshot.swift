import MotionModel

extension MetricsText {
  /// Bounds of the lateness of frames, in nanoseconds: from the 10 µs that a timer takes anyway to one second. The
  /// steps are 1, 2.5 and 5, so that both 1 ms (the period at 1 kHz) and 10 ms (about that at 120 Hz) are among them.
  static let latenessBounds: [Int64] = [
    10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
    50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000,
  ]

  /// Bounds of writing the journal, in nanoseconds: from the 100 µs of a fast disk to the seconds of one that is
  /// failing.
  static let writeBounds: [Int64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
    250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]

  /// All metrics of a snapshot.
  init(_ snapshot: MetricsSnapshot) {
    self.init()
    let status = snapshot.status
    family("motiond_build_info", .gauge, "The version of motiond, as a label.")
    sample("motiond_build_info", ["version": status.version], 1)
    add("motiond_epoch", .gauge, "The number of this start of motiond (its epoch).", Double(status.epoch))
    add("motiond_uptime_seconds", .gauge, "Time since the start, suspensions included.", status.uptime)
    addClock(status)
    add(
      "motiond_frame_lateness_seconds", "Delay between the expiry of the frame timer and the beginning of the frame.",
      snapshot.lateness, bounds: Self.latenessBounds)
    if let journal = status.journal { add(journal, snapshot.journalWrites) }
    addCounts(status.counts)
    let isRefusal = { (counter: Status.Counter) in counter.name.hasPrefix(MetricsCatalogue.refusedPeers) }
    for counter in status.counters where !isRefusal(counter) { add(counter) }
    family("motiond_refused_peers_total", .counter, "Connections that were refused, by reason.")
    for counter in status.counters where isRefusal(counter) {
      let reason = String(counter.name.dropFirst(MetricsCatalogue.refusedPeers.count))
      sample("motiond_refused_peers_total", ["reason": reason], Double(counter.value))
    }
    addProcess(status.load)
    addWorkers(snapshot)
  }

  private mutating func addClock(_ status: Status) {
    add("motiond_frame_rate_hertz", .gauge, "Frames per second while anything moves.", status.ratePerSecond)
    add("motiond_active", .gauge, "Whether anything moves, is held or waits for a worker.", status.isActive ? 1 : 0)
    add("motiond_held", .gauge, "Whether all motion is held.", status.clock.hold == nil ? 0 : 1)
    add("motiond_paused", .gauge, "Whether simulated time is paused.", status.clock.isPaused ? 1 : 0)
    add("motiond_speed_ratio", .gauge, "Simulated seconds per second.", status.clock.speed)
    add("motiond_simulated_time_seconds", .gauge, "The simulated time.", status.clock.time)
    if let recording = status.recording {
      add(
        "motiond_recording_up", .gauge, "Whether the recording that was requested at the start is in progress.",
        recording.problem.isEmpty ? 1 : 0)
    }
  }

  private mutating func add(_ journal: Status.Journal, _ writes: TimeHistogram) {
    add(
      "motiond_journal_up", .gauge, "Whether the journal can be written, so that transactions are accepted.",
      journal.problem.isEmpty ? 1 : 0)
    add(
      "motiond_journal_problem_seconds", .gauge, "For how long it has not been possible to write the journal.",
      journal.problemSeconds)
    add(
      "motiond_journal_rows_total", .counter, "Rows that were written since the start.", Double(journal.writes.rows))
    add(
      "motiond_journal_write_seconds", "How long groups of rows took to be written and synced.", writes,
      bounds: Self.writeBounds)
    add(
      "motiond_journal_rows_since_checkpoint", .gauge, "Rows that a start would replay.",
      Double(journal.rowsSinceCheckpoint))
    add(
      "motiond_journal_checkpoint_bytes", .gauge, "The size of the last checkpoint, 0 without one since the start.",
      Double(journal.checkpointBytes))
  }

  private mutating func addCounts(_ counts: Status.Counts) {
    add("motiond_targets", .gauge, "Targets.", Double(counts.targets))
    add("motiond_properties", .gauge, "Properties of all targets.", Double(counts.properties))
    add("motiond_executors", .gauge, "Executors of all targets.", Double(counts.executors))
    add("motiond_intentions", .gauge, "Intentions of all targets.", Double(counts.intentions))
    add("motiond_tokens", .gauge, "Tokens of all executors.", Double(counts.tokens))
  }

  private mutating func add(_ counter: Status.Counter) {
    let known = MetricsCatalogue.counters[counter.name]
    let name = counter.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    add(
      known?.name ?? "motiond_\(String(name))_total", known?.kind ?? .counter,
      known?.help ?? "The counter \(counter.name) of motionctl status.", Double(counter.value))
  }

  private mutating func addProcess(_ load: Status.Load) {
    // The names that every Prometheus client uses.
    add("process_cpu_seconds_total", .counter, "Processor time of motiond, without its workers.", load.processorTime)
    add("process_resident_memory_bytes", .gauge, "Memory of motiond, without its workers.", Double(load.residentBytes))
    add("motiond_wake_ups_total", .counter, "How often threads of motiond were woken.", Double(load.wakeUps))
  }

  private mutating func addWorkers(_ snapshot: MetricsSnapshot) {
    family(
      "motiond_plugin_problem", .gauge, "Whether a plugin has a problem; motionctl list plugins states it.")
    for plugin in snapshot.plugins {
      sample("motiond_plugin_problem", ["plugin": plugin.name.text], plugin.hasProblem ? 1 : 0)
    }
    func each(
      _ name: String, _ kind: Kind, _ help: String, _ value: (MetricsSnapshot.Worker) -> Double
    ) {
      family(name, kind, help)
      for worker in snapshot.workers {
        sample(name, ["plugin": worker.address.plugin.text, "instance": "\(worker.address.instance)"], value(worker))
      }
    }
    each("motiond_worker_up", .gauge, "Whether a worker is ready.") { $0.state == .ready ? 1 : 0 }
    each(
      "motiond_worker_quarantined", .gauge,
      "Whether a worker is quarantined: it died too often and is not restarted by itself."
    ) {
      $0.state == .quarantined ? 1 : 0
    }
    each("motiond_worker_restarts_total", .counter, "How often a worker was restarted after a death.") {
      Double($0.restarts)
    }
    each("motiond_worker_executors", .gauge, "Executors in a worker.") { Double($0.executors) }
  }
}
