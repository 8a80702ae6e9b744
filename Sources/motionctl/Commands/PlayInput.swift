import ArgumentParser
import CLinux
import Glibc
import MotionClient
import MotionModel

/// `motionctl input`
struct PlayInput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "input",
    abstract: "Play a recorded touch, or follow an input device.",
    usage: "motionctl input [<options>] (<trace> | --device <path>) [--to <target>]",
    discussion: """
      Says what pointers do to a target. It reaches what can be dragged, pinched, turned or tapped there.

      A trace is JSON lines, one event each, in the order of their times; target and device may be left out:
        {"time": 0, "pointer": 1, "phase": "down", "at": [103.5, 99]}
        {"time": 0.016, "pointer": 1, "phase": "move", "at": [105, 98]}
      Phases are down, move, up and cancel. Times are seconds from the beginning; the velocity of a throw follows from \
      them, also when the trace is played at once.

      A device is a touchscreen or a mouse of this machine. Reading it needs the group input, as a rule.

      EXAMPLES
        motionctl input examples/touch.jsonl --to ball
        motionctl input touch.jsonl --to ball --fast
        motionctl input --device /dev/input/event3 --to ball --surface 1920x1080
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Option(help: ArgumentHelp("The target that is pointed at.", valueName: "target"), transform: { try TargetName($0) })
  var to: TargetName?

  @Flag(help: "Play the whole trace at once instead of at its own pace.")
  var fast = false

  @Option(
    help: ArgumentHelp("Follow this input device until interrupted.", valueName: "path"), completion: .file())
  var device: String?

  @Option(
    help: ArgumentHelp("The size of the device's surface in units of the target.", valueName: "width>x<height"),
    transform: Surface.init(parsing:))
  var surface = Surface(size: [1920, 1080])

  @Argument(
    help: ArgumentHelp("A trace; - is standard input.", valueName: "trace"), completion: .file(extensions: ["jsonl"]))
  var trace: String?

  func validate() throws {
    guard (trace == nil) != (device == nil) else { throw ValidationError("Give either a trace or --device.") }
    if device != nil, to == nil { throw ValidationError("Say with --to which target the device points at.") }
    if device != nil, fast { throw ValidationError("A device has its own pace: leave --fast out.") }
  }

  func run() throws {
    if let device { return try follow(device) }
    guard let trace else { return }
    try play(trace)
  }

  // MARK: A trace

  private func play(_ path: String) throws {
    let file: PointerTraceFile
    do {
      file = try PointerTraceFile(
        FileBytes.read(path, limit: Limits.pointerTraceBytes), named: path == "-" ? "standard input" : path, target: to)
    } catch let error as FileErrors {
      throw Failure(.usage, error.description)
    }
    let client = try connection.connect()
    let length = file.entries.last?.event.time ?? 0
    let beginning = BootTime.now - (fast ? length : 0)
    var messages = 0
    for batch in Self.batches(of: file.entries, fast: fast) {
      if !fast { BootTime.sleep(until: beginning + (batch.events.first?.time ?? 0)) }
      var batch = batch
      for index in batch.events.indices { batch.events[index].time += beginning }
      try failing { () throws(MotionClientError) in try client.send(batch) }
      messages += 1
    }
    Console().print(
      reading.json
        ? (["events": .count(file.entries.count), "messages": .count(messages), "seconds": .number(length)]
          as JSONOutput).line
        : "Played \(file.entries.count) events of \(JSONText.number(length)) s in \(messages) messages")
  }

  /// The events in messages: of one target and device, and, unless all is sent at once, of one moment.
  static func batches(of entries: [PointerTraceFile.Entry], fast: Bool) -> [PointerInput] {
    var batches: [PointerInput] = []
    for entry in entries {
      if let last = batches.last, last.target == entry.target, last.device == entry.device,
        last.events.count < Limits.pointerEventsPerInput, fast || last.events.first?.time == entry.event.time
      {
        batches[batches.count - 1].events.append(entry.event)
      } else {
        batches.append(PointerInput(entry.target, from: entry.device, [entry.event]))
      }
    }
    return batches
  }

  // MARK: A device

  private func follow(_ path: String) throws {
    guard let to else { return }
    let interruption = Interruption()
    let (file, decoder): (EvdevFile, EvdevDecoder)
    do {
      file = try EvdevFile(path: path)
      decoder = try EvdevDecoder(file.device, surface: surface.size)
    } catch {
      throw Failure(.failure, "\(error)")
    }
    let client = try connection.connect()
    var follower = DeviceFollower(file: file, decoder: decoder, target: to, device: DeviceName(stringLiteral: "evdev"))
    Console().note("Following \(path) until interrupted (Ctrl-C).")
    while !interruption.hasCome, try follower.step({ try send($0, client) }) {}
    try follower.finish { try send($0, client) }
  }

  private func send(_ input: PointerInput, _ client: MotionClient) throws {
    try failing { () throws(MotionClientError) in try client.send(input) }
  }
}

/// Reads a device and says what it does.
private struct DeviceFollower {
  let file: EvdevFile
  var decoder: EvdevDecoder
  let target: TargetName
  let device: DeviceName

  /// Waits a little for something to read, and says it.
  ///
  /// - Returns: whether the device is still there.
  mutating func step(_ say: (PointerInput) throws -> Void) throws -> Bool {
    var entry = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 200) > 0 else { return true }
    switch try file.read() {
    case .bytes(let bytes): decoder.append(bytes)
    case .nothingYet: return true
    case .gone: return false
    }
    while true {
      switch decoder.next() {
      case .events(let events): try say(PointerInput(target, from: device, events))
      case .dropped: decoder.resume(atSlot: file.slot)
      case .needsMoreBytes: return true
      }
    }
  }

  /// What is still down does not count: nobody will say that it went up.
  mutating func finish(_ say: (PointerInput) throws -> Void) throws {
    let events = decoder.finish(at: BootTime.now)
    if !events.isEmpty { try say(PointerInput(target, from: device, events)) }
  }
}

/// The size of a surface: `1920x1080`.
struct Surface {
  let size: SIMD2<Double>

  init(size: SIMD2<Double>) { self.size = size }

  init(parsing text: String) throws {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0, width.isFinite,
      height.isFinite
    else { throw ValidationError("write a width and a height above 0: 1920x1080") }
    size = SIMD2(width, height)
  }
}

/// Seconds of the boot clock, which input is timed by.
enum BootTime {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func sleep(until moment: Double) {
    // A signal may end it early.
    while case let wait = moment - now, wait > 0 {
      var time = timespec(tv_sec: Int(wait), tv_nsec: Int((wait - wait.rounded(.down)) * 1e9))
      nanosleep(&time, nil)
    }
  }
}
