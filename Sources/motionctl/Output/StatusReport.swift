import MotionModel

/// The status of a daemon for people: its state, its contents, and for each problem the reason and the remedy.
enum StatusReport {
  /// The lines of the report.
  ///
  /// - Parameter moment: when the daemon answered; `nil` from a daemon that does not send it.
  static func lines(_ status: Status, at moment: Moment?, style: Style, width: Int) -> [String] {
    let counts = status.counts
    let clock = status.clock
    let state =
      clock.hold != nil
      ? style.yellow("held")
      : clock.isPaused ? style.yellow("paused") : status.isActive ? style.green("active") : "idle"
    var lines = [
      """
      \(style.bold("motiond \(status.version)")) \(state), process \(status.processID), up \
      \(NumberText.seconds(status.uptime)), epoch \(status.epoch)
      """,
      """
      time     \(NumberText.fixed(clock.time, digits: 3)) s at speed \(JSONText.number(clock.speed)), frame \
      \(status.frame.number) at \(JSONText.number(status.ratePerSecond)) Hz
      """,
      "holds    "
        + [
          counted(counts.targets, "target"), counted(counts.properties, "property", "properties"),
          counted(counts.executors, "executor"), counted(counts.intentions, "intention"),
          counted(counts.tokens, "token"),
        ].joined(separator: ", "),
    ]
    if let hold = clock.hold {
      lines.append(
        "held     since \(WallTimeText.text(hold.since)) by \(hold.by); transactions "
          + "\(hold.refuses ? "are refused" : "wait") (motionctl release)")
    }
    if let moment { lines.insert("         \(WallTimeText.text(moment.wallTime)) by motiond's clock", at: 2) }
    if counts.waiting > 0 {
      lines.append(
        "waiting  \(counted(counts.waiting, "transaction")) for later times or the next frame: motionctl list waiting")
    }
    if status.lateness.frames > 0 { lines.append("late     " + lateness(status)) }
    lines.append(
      "usage    \(NumberText.seconds(status.load.processorTime)) of processor time, "
        + "\(NumberText.fixed(Double(status.load.residentBytes) * 1e-6, digits: 1)) MB, \(status.load.wakeUps) wake-ups"
    )
    // Most counters count exceptional events and are 0; they would hide the others. `--json` has all.
    let counted = status.counters.filter { $0.value > 0 }.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    let counters = counted.wrapped(to: width - 9)
    lines += counters.enumerated().map { ($0.offset == 0 ? "counters " : "         ") + $0.element }
    if let journal = status.journal { lines.append("journal  " + text(of: journal, style: style)) }
    if let history = status.history { lines.append("history  " + text(of: history, style: style)) }
    if let recording = status.recording {
      let end = recording.problem.isEmpty ? "" : ": \(style.red("ended")): \(ShownText.escaping(recording.problem))"
      lines.append("records  \(recording.path)\(end)")
    }
    // A gateway sends neither.
    if status.plugins.isEmpty, status.pluginPaths.isEmpty { return lines }
    let plugins = status.plugins.flatMap { $0.lines(style: style) }
    let places = " in " + status.pluginPaths.joined(separator: ", ")
    let found =
      plugins.isEmpty ? [ShownText.escaping("none found\(places): start motiond with --plugin-path DIR")] : plugins
    return lines + found.enumerated().map { ($0.offset == 0 ? "plugins  " : "         ") + $0.element }
  }

  /// The lateness of frames in the last minute, or, without frames in it, since the start.
  private static func lateness(_ status: Status) -> String {
    let isRecent = status.recentLateness.frames > 0
    let late = isRecent ? status.recentLateness : status.lateness
    let percentiles = [("p50", late.p50), ("p99", late.p99), ("p99.9", late.p999), ("at most", late.max)]
    return percentiles.map { "\($0) \(NumberText.brief($1))" }.joined(separator: ", ")
      + " \(isRecent ? "in the last minute" : "since the start"), \(counted(Int(clamping: late.frames), "frame"))"
  }

  /// How far the history reaches, or why it does not.
  private static func text(of history: Status.History, style: Style) -> String {
    guard history.problem.isEmpty else { return "\(style.red("not kept")): \(ShownText.escaping(history.problem))" }
    let restart = history.continues ? "frame" : "checkpoint"
    return
      "the last \(NumberText.seconds(history.seconds)), \(NumberText.fixed(Double(history.bytes) * 1e-6, digits: 1)) MB; "
      + "a restart continues from the last \(restart)"
  }

  /// The journal's path, its contents, and its problem if there is one.
  private static func text(of journal: Status.Journal, style: Style) -> String {
    guard journal.problem.isEmpty else {
      let since = NumberText.seconds(journal.problemSeconds)
      return "\(journal.path): \(style.red("not written")) for \(since): \(ShownText.escaping(journal.problem))"
    }
    var facts = [
      "row \(journal.lastRow)", "\(journal.rowsSinceCheckpoint) since the last checkpoint",
    ]
    if journal.writes.groups > 0 {
      let size = Double(journal.writes.rows) / Double(journal.writes.groups)
      facts.append("groups of \(NumberText.fixed(size, digits: 1))")
      facts.append("written in p50 \(NumberText.brief(journal.writes.p50))")
      facts.append("p99 \(NumberText.brief(journal.writes.p99))")
    }
    return "\(journal.path): " + facts.joined(separator: ", ")
  }

  private static func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }
}

extension PluginRow {
  /// The plugin in a line, and its problems in further ones.
  fileprivate func lines(style: Style) -> [String] {
    if !problem.isEmpty {
      let lines = ShownText.escaping(problem).split(whereSeparator: \.isNewline)
      return ["\(name)  \(style.red("unusable")): \(lines.first ?? "")"] + lines.dropFirst().map { "  \($0)" }
    }
    if workers.isEmpty { return ["\(name)  stopped: it starts when it is first needed"] }
    return workers.flatMap { $0.lines(style: style) }
  }
}

extension WorkerRow {
  fileprivate func lines(style: Style) -> [String] {
    let word =
      switch state {
      case .ready: style.green(state.rawValue)
      case .quarantined: style.red(state.rawValue)
      case .waiting, .starting, .provisioning, .draining: style.yellow(state.rawValue)
      case .stopped: state.rawValue
      }
    var facts = processID == 0 ? [] : ["process \(processID)"]
    if executors > 0 { facts.append(executors == 1 ? "1 executor" : "\(executors) executors") }
    if restarts > 0 { facts.append("restarted \(restarts == 1 ? "once" : "\(restarts) times")") }
    var lines = ["\(address)  \(word)" + (facts.isEmpty ? "" : ": " + facts.joined(separator: ", "))]
    if !reason.isEmpty { lines.append("  \(ShownText.escaping(reason))") }
    guard state == .quarantined || state == .waiting else { return lines }
    lines += log.suffix(Self.shownLogLines).map { "  | \(ShownText.escaping($0))" }
    if state == .quarantined {
      lines.append("  when the cause is fixed: motionctl plugin restart \(address.plugin)")
    }
    return lines
  }

  /// The number of log lines that are shown. More would hide the other plugins. `--json` has all.
  private static var shownLogLines: Int { 5 }
}
