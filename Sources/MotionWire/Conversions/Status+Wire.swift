import MotionModel
import SwiftProtobuf

extension ProtoStatus: WireRepresentation {
  init(_ status: Status) {
    version = status.version
    epoch = status.epoch
    processID = status.processID
    uptime = status.uptime
    ratePerSecond = status.ratePerSecond
    clock = ProtoClockState(status.clock)
    active = status.isActive
    frame = ProtoFrame(status.frame)
    counts = Counts(status.counts)
    counters = status.counters.map(Counter.init)
    plugins = status.plugins.map(ProtoPluginRow.init)
    pluginPaths = status.pluginPaths
    if let recording = status.recording { self.recording = Recording(recording) }
    lateness = Lateness(status.lateness)
    recentLateness = Lateness(status.recentLateness)
    load = Load(status.load)
    if let journal = status.journal { self.journal = Journal(journal) }
    if let history = status.history { self.history = KeptHistory(history) }
  }

  func model() throws(WireError) -> Status {
    var status = Status()
    status.version = try Decode.text(version, "version")
    status.epoch = epoch
    status.processID = processID
    status.uptime = try Decode.finite(uptime, "uptime")
    status.ratePerSecond = try Decode.finite(ratePerSecond, "rate_per_second")
    status.clock = try Decode.required(hasClock, clock, "clock")
    status.isActive = active
    status.frame = try Decode.required(hasFrame, frame, "frame")
    status.counts = try Decode.required(hasCounts, counts, "counts")
    status.counters = try Decode.list(counters, "counters")
    status.plugins = try Decode.list(plugins, "plugins", atMost: Limits.plugins)
    status.pluginPaths = try Decode.texts(pluginPaths, "plugin_paths")
    status.recording = try Decode.optional(hasRecording, recording, "recording")
    status.lateness = try lateness.model()
    status.recentLateness = try recentLateness.model()
    status.load = try load.model()
    status.journal = try Decode.optional(hasJournal, journal, "journal")
    status.history = try Decode.optional(hasHistory, history, "history")
    return status
  }
}

extension ProtoStatus.Counts: WireRepresentation {
  init(_ counts: Status.Counts) {
    targets = Encode.count(counts.targets)
    properties = Encode.count(counts.properties)
    executors = Encode.count(counts.executors)
    intentions = Encode.count(counts.intentions)
    tokens = Encode.count(counts.tokens)
    waiting = Encode.count(counts.waiting)
  }

  func model() throws(WireError) -> Status.Counts {
    var counts = Status.Counts()
    counts.targets = Int(targets)
    counts.properties = Int(properties)
    counts.executors = Int(executors)
    counts.intentions = Int(intentions)
    counts.tokens = Int(tokens)
    counts.waiting = Int(waiting)
    return counts
  }
}

extension ProtoStatus.Lateness: WireRepresentation {
  init(_ lateness: Status.Lateness) {
    frames = lateness.frames
    p50 = lateness.p50
    p99 = lateness.p99
    p999 = lateness.p999
    max = lateness.max
  }

  func model() throws(WireError) -> Status.Lateness {
    var lateness = Status.Lateness()
    lateness.frames = frames
    lateness.p50 = try Decode.finite(p50, "p50")
    lateness.p99 = try Decode.finite(p99, "p99")
    lateness.p999 = try Decode.finite(p999, "p999")
    lateness.max = try Decode.finite(max, "max")
    return lateness
  }
}

extension ProtoStatus.Load: WireRepresentation {
  init(_ load: Status.Load) {
    wakeUps = load.wakeUps
    processorTime = load.processorTime
    residentBytes = load.residentBytes
  }

  func model() throws(WireError) -> Status.Load {
    var load = Status.Load()
    load.wakeUps = wakeUps
    load.processorTime = try Decode.finite(processorTime, "processor_time")
    load.residentBytes = residentBytes
    return load
  }
}

extension ProtoStatus.Recording: WireRepresentation {
  init(_ recording: Status.Recording) {
    path = Encode.text(recording.path)
    problem = Encode.text(recording.problem)
  }

  func model() throws(WireError) -> Status.Recording {
    Status.Recording(path: try Decode.text(path, "path"), problem: try Decode.text(problem, "problem"))
  }
}

extension ProtoStatus.Counter: WireRepresentation {
  init(_ counter: Status.Counter) {
    name = counter.name
    value = counter.value
  }

  func model() throws(WireError) -> Status.Counter { Status.Counter(try Decode.text(name, "name"), value) }
}

extension ProtoPluginRow: WireRepresentation {
  init(_ row: PluginRow) {
    name = row.name.text
    path = row.path
    problem = Encode.text(row.problem)
    types = row.types.map(\.text)
    workers = row.workers.map(ProtoWorkerRow.init)
  }

  func model() throws(WireError) -> PluginRow {
    PluginRow(
      name: try Decode.name(name, "name"), path: try Decode.text(path, "path"),
      problem: try Decode.text(problem, "problem"),
      types: try Decode.names(types, "types", atMost: Limits.intentionsPerPlugin),
      workers: try Decode.list(workers, "workers", atMost: Limits.instancesPerPlugin))
  }
}

extension ProtoWorkerRow: WireRepresentation {
  init(_ row: WorkerRow) {
    address = ProtoWorkerAddress(row.address)
    state = State(row.state)
    processID = row.processID
    incarnation = row.incarnation
    restarts = Encode.count(row.restarts)
    executors = Encode.count(row.executors)
    reason = Encode.text(row.reason)
    log = row.log.map { Encode.text($0) }
  }

  func model() throws(WireError) -> WorkerRow {
    WorkerRow(
      address: try Decode.required(hasAddress, address, "address"), state: try Decode.part(state, "state"),
      processID: processID, incarnation: incarnation, restarts: Int(restarts), executors: Int(executors),
      reason: try Decode.text(reason, "reason"), log: try Decode.texts(log, "log"))
  }
}

extension ProtoWorkerRow.State: WireRepresentation {
  init(_ state: WorkerRow.State) {
    self =
      switch state {
      case .stopped: .stopped
      case .starting: .starting
      case .provisioning: .provisioning
      case .ready: .ready
      case .draining: .draining
      case .waiting: .waiting
      case .quarantined: .quarantined
      }
  }

  func model() throws(WireError) -> WorkerRow.State {
    switch self {
    case .stopped: .stopped
    case .starting: .starting
    case .provisioning: .provisioning
    case .ready: .ready
    case .draining: .draining
    case .waiting: .waiting
    case .quarantined: .quarantined
    case .unspecified, .UNRECOGNIZED: throw .unknown(rawValue)
    }
  }
}
