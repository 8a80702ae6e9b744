import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl input`
struct PlayInput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "input",
    abstract: "Play a recorded touch, follow a touchscreen or mouse, or send values of faders and sensors.",
    usage: """
      motionctl input <trace> [--to <target>] [--fast] [<options>]
      motionctl input --device <path> --to <target> [<options>]
      motionctl input --value <name>=<numbers> ... [--hold] [<options>]
      motionctl input --values <path> [--hold] [<options>]
      """,
    discussion: """
      Sends pointer events to the plans that let a hand move a target, such as Draggable. A target is created by its \
      first plan, so that a missing target is not an error. Until then the events have no effect, and a note reports \
      this.

      A trace has a JSON object in each line:
        {"time": 0, "pointer": 1, "phase": "down", "at": [103.5, 99]}
        {"time": 0.016, "pointer": 1, "phase": "move", "at": [105, 98]}
        {"time": 0.032, "pointer": 1, "phase": "up", "at": [105, 98]}
      The time is in seconds from the beginning. A line may name its "target" and its "device". A trace is played in \
      real time; --fast plays it at once, as if it ended now.

      --device follows a Linux input device until Ctrl-C, or until it is unplugged; pointers that are down then are \
      cancelled. The path can also be a pipe with the bytes of a device.

      --value sends a named value, which plans of the type Follow move properties by. --values sends lines of JSON \
      as they arrive, each with the newest values of some names; null withdraws a name:
        {"fader.1": 0.3, "tracker": [0.1, 2, 1.5], "fader.2": null}
      A line with an error is reported and skipped; the exit code is then 2. Values are withdrawn 3 s after this command \
      has ended, and properties that follow them stay where they are; with --hold the values stay.

      EXAMPLES
        motionctl input --value fader.1=0.3 --value tracker=0.1,2,1.5
        sensor-program | motionctl input --values -
        motionctl input examples/touch.jsonl --to ball
        motionctl input examples/touch.jsonl --to ball --fast
        motionctl input --device /dev/input/event5 --to ball --surface 800x480
        motionctl input --device /dev/input/event5 --to ball --record touch.jsonl
        ssh panel cat /dev/input/event2 |
          motionctl input --device /dev/stdin --to ball --axes 4095x4095
      """)

  /// The default surface of a device: the points of a common screen.
  private static let surface = SIMD2(1920.0, 1080.0)
  /// The most targets that are checked before a trace is played, because a user reads no more remarks than that.
  private static let remarkedTargets = 8

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Option(
    name: .targets, help: ArgumentHelp("The target of a device, and of lines without a target.", valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedName)
  var targets: [TargetName] = []

  private var to: TargetName? { targets.first }

  @Flag(help: "Play the whole trace at once.")
  var fast = false

  @Option(help: ArgumentHelp("Follow an input device instead.", valueName: "path"), completion: .file())
  var device: String?

  @Option(
    help: ArgumentHelp(
      "The name of the device, and of the device of lines without one (default: trace).", valueName: "name"),
    transform: parsedName)
  var name: DeviceName = PointerTraceFile.defaultDevice

  @Option(
    help: ArgumentHelp(
      "The size of the device's surface, in units of the target (default: 1920x1080).", valueName: "width>x<height"),
    transform: parsedSurface)
  var surface: SIMD2<Double>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The upper left corner of the surface (default: 0,0).", valueName: "x,y"),
    transform: parsedOrigin)
  var origin: SIMD2<Double>?

  @Option(
    help: ArgumentHelp(
      "The highest coordinates of a touchscreen that is read through a pipe. Without it, the bytes are a mouse's.",
      valueName: "x>x<y"),
    transform: parsedAxes)
  var axes: EvdevDevice?

  @Option(
    help: ArgumentHelp("Record the device's events into a file, as a trace.", valueName: "file"), completion: .file())
  var record: String?

  @Option(
    name: .customLong("value"),
    help: ArgumentHelp("Send a value of 1 to 4 numbers.", valueName: "name>=<numbers"), transform: parsedValue)
  var sentValues: [InputValue] = []

  @Option(
    help: ArgumentHelp("Send the values of lines of JSON; - is standard input.", valueName: "path"),
    completion: .file(extensions: ["jsonl"]))
  var values: String?

  @Flag(help: "Keep the values when this command has ended.")
  var hold = false

  /// Whether values are sent, and not pointer events.
  private var sendsValues: Bool { !sentValues.isEmpty || values != nil }

  @Argument(
    help: ArgumentHelp("A trace; - is standard input.", valueName: "trace"), completion: .file(extensions: ["jsonl"]))
  var trace: String?

  func validate() throws {
    // Checked here, because the three spellings are one option.
    if targets.count > 1 { throw ValidationError("the target is given twice: give one target") }
    guard !sendsValues else { return try validateValues() }
    if hold { throw ValidationError("--hold is for --value and --values") }
    guard device != nil else {
      if trace == nil { throw ValidationError("name a trace, - for standard input, or a --device") }
      let others = [
        ("surface", surface != nil), ("origin", origin != nil), ("axes", axes != nil), ("record", record != nil),
      ]
      if let (option, _) = others.first(where: \.1) { throw ValidationError("--\(option) is for a --device") }
      return
    }
    if let trace { throw ValidationError("\(trace) and --device exclude each other: give one of them") }
    if fast { throw ValidationError("--fast is for a trace: omit it with --device") }
    if to == nil { throw ValidationError("name the target of the device with --to") }
  }

  private func validateValues() throws {
    if !sentValues.isEmpty, values != nil { throw ValidationError("--value and --values exclude each other") }
    let others = [
      ("a trace", trace != nil), ("--device", device != nil), ("--to", to != nil), ("--fast", fast),
      ("--surface", surface != nil), ("--origin", origin != nil), ("--axes", axes != nil), ("--record", record != nil),
    ]
    if let (option, _) = others.first(where: \.1) {
      throw ValidationError("values belong to no target and are no pointers: omit \(option)")
    }
    let names = sentValues.map(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw ValidationError("the value \(twice) is given twice: give one")
    }
  }

  func run() throws {
    let console = Console()
    if sendsValues {
      try send(console)
    } else if let device, let to {
      try follow(device, onto: to, console)
    } else {
      try play(trace ?? "-", console)
    }
  }

  // MARK: Traces

  private func play(_ path: String, _ console: Console) throws {
    let entries = try entries(of: path)
    let client = try connection.client()
    try remark(on: entries.map(\.target), client, console)
    var player = TracePlayer(entries, to: InputSender(client))
    guard !fast else {
      try player.playAtOnce()
      return tell(player.sender.summary, console)
    }
    let isWhole = try player.play(until: Interruption())
    tell(player.sender.summary, console)
    if !isWhole { throw Failure(.failure, "interrupted before the end of the trace; pressed pointers are cancelled") }
  }

  private func entries(of path: String) throws(Failure) -> [PointerTraceFile.Entry] {
    let bytes = try FileBytes.read(path, limit: Limits.pointerTraceBytes, parts: "traces")
    do {
      var trace = try PointerTraceFile(bytes, named: path == "-" ? "standard input" : path, target: to)
      for index in trace.entries.indices where trace.entries[index].device == PointerTraceFile.defaultDevice {
        trace.entries[index].device = name
      }
      return trace.entries
    } catch {
      let lacksTarget = to == nil && error.errors.contains { $0.message.contains("\"target\"") }
      let remedy = lacksTarget ? "name the target of the lines with --to: motionctl input \(path) --to ball" : ""
      throw Failure(.usage, error.description, remedy: remedy)
    }
  }

  // MARK: Devices

  private func follow(_ path: String, onto target: TargetName, _ console: Console) throws {
    let source = try PointerSource(path: path, axes: axes)
    let client = try connection.client()
    try remark(on: [target], client, console)
    let place = DevicePlayer.Place(
      target: target, device: name, surface: surface ?? Self.surface, origin: origin ?? .zero)
    var player = try DevicePlayer(
      source, onto: place, to: InputSender(client),
      recorder: record.map { path throws(Failure) in try TraceRecorder(path) })
    let interruption = Interruption()
    console.note("Following \(path) until interrupted (Ctrl-C).")
    try player.play(until: interruption)
    tell(player.sender.summary, console)
  }

  // MARK: Both

  /// Prints a remark for each target on which the pointers will have no effect.
  private func remark(on targets: [TargetName], _ client: MotionClient, _ console: Console) throws(Failure) {
    for target in Set(targets).sorted().prefix(Self.remarkedTargets) {
      let remark = try failing { () throws(MotionClientError) in try self.remark(on: target, client) }
      if let remark { console.note("note: " + remark) }
    }
  }

  private func remark(on target: TargetName, _ client: MotionClient) throws(MotionClientError) -> String? {
    if let absence = try client.absence(of: target) { return "\(absence.message) yet. \(absence.remedy)" }
    let feels = try client.intentions(of: target).contains { $0.kind == .manipulation }
    return feels ? nil : "no plan lets a hand move \(target) yet. Try: motionctl add Draggable --to \(target)"
  }

  // MARK: Values

  private func send(_ console: Console) throws {
    let device: DeviceName = name == PointerTraceFile.defaultDevice ? "motionctl" : name
    var player = ValuePlayer(try connection.client(), as: device, held: hold, console)
    if let values {
      let interruption = Interruption()
      try player.play(values, until: interruption)
    } else {
      try player.send(
        sentValues.map { value in
          var value = value
          value.isHeld = hold
          return value
        })
      if !hold, sentValues.contains(where: { $0.value != nil }) {
        console.note("The value is withdrawn in 3 s, and what follows it stays; --hold keeps it.")
      }
    }
    if reading.json || values != nil { tell(player.summary, console) }
    if player.skipped > 0 {
      throw Failure(.usage, "\(player.skipped) line\(player.skipped == 1 ? " was" : "s were") skipped")
    }
  }

  private func tell(_ summary: InputSummary, _ console: Console) {
    console.print(reading.json ? JSONOutput(summary).line : summary.line)
  }
}
