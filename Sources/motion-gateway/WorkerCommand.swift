import ArgumentParser
import MotionGateway

/// `motion-gateway worker`.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Run a gateway between motiond and one worker of an untrusted plugin.",
    discussion: """
      The worker is a program that motiond does not start: on another machine, or as another user of this one. It \
      connects to the gateway as it would to motiond, and the gateway connects to motiond as that worker, with a key of \
      its own:

        motionctl key new --role worker --directory gateway tween    # its line goes into motiond's authorized keys
        motiond --listen-workers tcp://127.0.0.1:5580 &
        motion-gateway worker --connect tcp://127.0.0.1:5580 --server-key motiond.pub --key gateway/tween.key \
          --listen tcp://0.0.0.0:5590 --admit stage.pub &
        tween --connect tcp://127.0.0.1:5590 --key stage.key --server-key gateway/tween.pub

      Each address uses four consecutive ports. One gateway is for one worker.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The address at which motiond accepts workers (motiond --listen-workers).", valueName: "tcp://host:port"))
  var connect: String

  @Option(
    name: .long,
    // A key may begin with a hyphen.
    parsing: .unconditional,
    help: ArgumentHelp("motiond's public key, or the file that holds it.", valueName: "key"))
  var serverKey: String

  @Option(
    name: .long,
    help: ArgumentHelp("The gateway's own pair of keys, which motiond accepts as the worker's.", valueName: "file"))
  var key: String

  @Option(name: .long, help: ArgumentHelp("The address to which the worker connects.", valueName: "tcp://host:port"))
  var listen: String

  @Option(
    name: .long,
    help: ArgumentHelp("The public key of the worker, or the file that holds it.", valueName: "key"))
  var admit: String

  @OptionGroup(title: "Limits")
  var limits: WorkerLimitOptions

  @OptionGroup
  var log: LogOptions

  func run() throws {
    try log.run { logger in
      var settings = try WorkerGatewaySettings(
        listen: listen, motiond: connect, key: key, worker: admit, server: serverKey)
      limits.apply(to: &settings.limits)
      try WorkerGateway(settings, logger: logger).run()
    }
  }
}

/// The limits that an operator can set; `WorkerGatewayLimits` documents the reasons.
struct WorkerLimitOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Memory beyond that of the start, in MiB (default: 512).", valueName: "mib"))
  var memory: Int?

  @Option(name: .long, help: ArgumentHelp("Connections at a time (default: 32).", valueName: "count"))
  var connections: Int?

  @Option(
    name: .long, help: ArgumentHelp("The longest message of the worker, in KiB (default: 1024).", valueName: "kib"))
  var messageSize: Int?

  @Option(name: .long, help: ArgumentHelp("Messages of the worker in a second (default: 2500).", valueName: "count"))
  var messages: Int?

  @Option(name: .long, help: ArgumentHelp("MiB of the worker's messages in a second (default: 16).", valueName: "mib"))
  var rate: Int?

  func validate() throws {
    try checkRange(memory, 16...(1 << 20), "--memory")
    try checkRange(connections, 4...10_000, "--connections")
    try checkRange(messageSize, 1...65_536, "--message-size")
    try checkRange(messages, 1...1_000_000, "--messages")
    try checkRange(rate, 1...4096, "--rate")
  }

  /// Sets the limits that were given as options.
  func apply(to limits: inout WorkerGatewayLimits) {
    if let memory { limits.memory = memory << 20 }
    if let connections { limits.connections = connections }
    if let messageSize { limits.messageBytes = messageSize << 10 }
    if let messages { limits.messagesPerSecond = Double(messages) }
    if let rate { limits.bytesPerSecond = Double(rate << 20) }
    // The rate must allow one message.
    limits.bytesPerSecond = max(limits.bytesPerSecond, Double(limits.messageBytes))
  }
}
