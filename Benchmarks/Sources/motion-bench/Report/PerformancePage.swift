import Foundation

/// docs/performance.md.
struct PerformancePage {
  let rows: [Row]
  let machine: Machine
  /// The names of the pictures of each benchmark.
  let pictures: [String: [String]]
  /// The remarks on the targets that are missed.
  let remarks: String

  /// The benchmarks in the order in which they are shown.
  static let order = [
    "springs", "moves", "limits", "streams", "frame", "snapshots", "inspect", "commit", "ticks", "wire", "journal",
    "idle", "input", "lamps",
    "faults", "memory",
  ]

  private static let titles = [
    "springs": "A step of the springs", "moves": "A move under limits", "limits": "Limits of properties",
    "streams": "A value through streams", "frame": "A frame",
    "snapshots": "A snapshot", "inspect": "Questions",
    "commit": "A commit",
    "ticks": "A tick, a worker, a value", "wire": "Messages", "journal": "The journal", "idle": "An idle motiond",
    "input": "Input values", "lamps": "Lamps",
    "faults": "The loss of a worker", "memory": "Memory",
  ]

  private static let notes = [
    "frame": """
    Processor time of the whole process, including its threads for sockets. Every lane is a target of its own with one \
    property on a spring without friction. Lateness is measured by a subscriber: how much later a frame was sent than the \
    most punctual of its hundred.
    """,
    "snapshots": """
    Targets with one property each, on springs that swing, in a runtime without a daemon. No frame is run while a snapshot \
    is taken; it is encoded by another thread. The reference is a frame of the same springs. The rows "opened and sought" \
    open a recording at a place, at most a tenth of a second after a snapshot.
    """,
    "inspect": """
    One client queries all properties and another the graph of everything, ten times a second, or as often as answers \
    arrive. A thousand more targets move, and lateness is measured by a subscriber of one of them. The transactions \
    apply to targets that move, each with the same number of operations for every one of them.
    """,
    "commit": """
    From a client in another process. A receipt means that the transaction is on disk, except for the rows that state \
    otherwise. An operation first waits for the next frame, up to 8 ms. "Latest frame meanwhile" is the largest lateness \
    of a frame beyond its period, as another client receives the frames of another target, from the commit until it was \
    applied.
    """,
    "ticks": """
    While time is paused, a long step runs each frame as soon as the worker has answered its tick. The rows are the time \
    between such frames: the tick, the worker's loop, its executors, the update, the frame itself.
    """,
    "wire": """
    Writing and reading one message in one thread, and the processor time of a process that publishes a hundred lanes at \
    1 kHz to 1 to 64 processes.
    """,
    "journal": """
    Rows of 250 bytes. A group and its head are on disk before the next group begins: two syncs. The reference writes \
    the same bytes to a file and calls fdatasync once for each group. Opening reads and verifies everything.
    """,
    "idle": """
    Voluntary context switches of all threads of motiond, as the kernel counts them. A client here is one with \
    `whileConnected`, which sends a heartbeat each second.
    """,
    "moves": """
    Ruckig solves the same random states, and measures itself. A step is that of moves of which each is at another time.
    """,
    "limits": """
    Targets with one property each, on springs that swing without friction once a second, in a runtime without a daemon. A \
    frame with limits is compared with the same frame without; the difference is divided by all properties.
    """,
    "input": """
    Processor time of all threads of motiond at 60 frames a second, as each source sends a value of its own every 10 ms, \
    and each moves a property by a Follow. Every message is a request with an answer. "What they add" is the time beyond \
    that of springs that swing. The bare ROUTER sends each message back.
    """,
    "lamps": """
    Sixteen or all channels of each universe swing, each on a spring of its own, at 120 frames a second, and leave by sACN to a \
    receiver on this machine, 44 times a second. The kernel notes when each packet is sent. Jitter is how far the time \
    between two departures is from a 44th of a second. The bare loop sends as many packets at the times of a timerfd.
    """,
    "faults": """
    A worker that moves sixteen targets is killed, or suspended, while a client queries its state without a pause. \
    After a death motiond waits 100 ms before it starts the successor.
    """,
    "memory": "Resident memory, after everything has come to rest.",
  ]

  var text: String {
    var text = """
      # Performance

      Written by `make bench`; do not edit it. Measured on a \(machine.description). Each figure has a reference
      beside it that was measured in the same run, because absolute times depend on the machine and ratios do not.

      The load average of the quarter of an hour before was \(String(format: "%.1f", machine.load)). The benchmarks alone \
      cause 1 to 2; with a higher load, the
      latencies are those of a busy machine, and their tails prove nothing.

      ## Targets

      | what | size | measured | reference | ratio | target | met |
      |---|--:|--:|--:|--:|---|---|
      \(targets.map { line($0, isTarget: true) }.joined(separator: "\n"))

      \(remarks.isEmpty ? "" : remarks + "\n")
      """
    for benchmark in Self.order {
      let measured = rows.filter { $0.benchmark == benchmark }
      if !measured.isEmpty { text += section(benchmark, measured) }
    }
    return text
  }

  /// The rows that have a target, in order.
  private var targets: [Row] {
    Self.order.flatMap { benchmark in rows.filter { $0.benchmark == benchmark && $0.isMet != nil } }
  }

  private func section(_ benchmark: String, _ rows: [Row]) -> String {
    var text = "\n## \(Self.titles[benchmark] ?? benchmark)\n\n`motion-bench \(benchmark)`"
    if let note = Self.notes[benchmark] { text += "\n\n\(note)" }
    text += "\n\n"
    for name in pictures[benchmark] ?? [] {
      text += "![\(name): cost against size](performance/\(name).svg)\n\n"
    }
    var against: [String] = []
    for row in rows where !against.contains(row.comparedWith) { against.append(row.comparedWith) }
    for reference in against {
      text += "Against \(reference):\n\n| what | size | measured | reference | ratio |\n|---|--:|--:|--:|--:|\n"
      text += rows.filter { $0.comparedWith == reference }.map { line($0, isTarget: false) }.joined(separator: "\n")
      text += "\n\n"
    }
    return String(text.dropLast())
  }

  private func line(_ row: Row, isTarget: Bool) -> String {
    var cells = [
      isTarget ? "\(row.benchmark): \(row.series)" : row.series, "\(row.size)",
      "\(Printer.number(row.cost)) \(row.unit)", "\(Printer.number(row.reference)) \(row.unit)",
      row.ratio.map(Printer.number) ?? "–",
    ]
    if isTarget { cells += [row.wanted, row.isMet == true ? "yes" : "**no**"] }
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
