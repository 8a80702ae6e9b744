import LinuxSystem
package import Logging
import MotionWire
import ZeroMQ

/// Stands between an untrusted worker and motiond. To the worker it behaves like motiond, to motiond it is that worker.
///
/// As with ``Gateway``, no message is forwarded as received, and all memory that libzmq holds for the worker is in this
/// process, and is limited. When the worker exhausts it, the process exits. The worker then claims its assignment again
/// through the next one.
package final class WorkerGateway {
  let settings: WorkerGatewaySettings
  let logger: Logger
  let context: ZeroMQContext
  let authenticator: Authenticator
  let worker: WorkerSide
  var motiond: MotiondSide
  let poller = Poller()
  let watched: Watched
  var watchedMotiond: WatchedMotiond
  let timer: BootTimer
  let signals: GatewaySignals
  var relay: WorkerRelay
  /// Topics of events that motiond has subscribed to.
  var wanted: Set<String> = []
  /// Topics at motiond that are subscribed to for the worker.
  var subscribed: Set<String> = []
  var reports = ReportLimit(per: .seconds(1))
  private var lastSerial: UInt64 = 0

  /// The registrations of the poll.
  struct Watched {
    let signals: Poller.Registration
    let timer: Poller.Registration
    let admission: Poller.Registration
    let link: Poller.Registration
    let commands: Poller.Registration
    let ticks: Poller.Registration
    let events: Poller.Registration
  }

  /// The registrations of the sockets connected to motiond.
  struct WatchedMotiond {
    let link: Poller.Registration
    let commands: Poller.Registration
    let ticks: Poller.Registration
    let events: Poller.Registration

    init(_ motiond: MotiondSide, in poller: Poller) {
      (link, commands) = (poller.add(motiond.link), poller.add(motiond.commands))
      (ticks, events) = (poller.add(motiond.ticks), poller.add(motiond.events))
    }
  }

  /// Binds the sockets and limits the process, which must be prepared. The worker is not served before ``run()``.
  ///
  /// - Throws: ``GatewayError`` and errors of sockets, with the remedy.
  package init(_ settings: WorkerGatewaySettings, logger: Logger) throws {
    (self.settings, self.logger) = (settings, logger)
    signals = try GatewaySignals()
    context = try ZeroMQContext(maxSockets: 64)
    authenticator = try Authenticator(context)
    worker = try WorkerSide(context, settings)
    motiond = try MotiondSide(context, by: poller, settings)
    timer = try BootTimer()
    relay = WorkerRelay(ports: settings.listener.compactMap(\.port), settings.limits, at: BootClock.now)
    watched = Watched(
      signals: poller.add(descriptor: signals.descriptor), timer: poller.add(descriptor: timer.descriptor),
      admission: poller.add(authenticator.socket), link: poller.add(worker.link),
      commands: poller.add(worker.commands), ticks: poller.add(worker.ticks), events: poller.add(worker.events))
    watchedMotiond = WatchedMotiond(motiond, in: poller)
    try GatewayProcess.bound(
      memory: settings.limits.memory, connections: settings.limits.connections)
  }

  /// Serves until TERM or INT arrives.
  package func run() throws {
    logger.info("serving a worker at \(settings.listener[0]), for motiond at \(settings.motiond[0])")
    try poller.serve(waking: timer, at: { relay.nextDeadline }, turn: turn)
    logger.info("stopped")
  }

  /// - Returns: whether to go on.
  private func turn(at now: Duration) throws -> Bool {
    if poller.isReadable(watched.signals), !obey() { return false }
    if poller.isReadable(watched.timer) { timer.acknowledge() }
    try admit()
    receiveFromMotiond()
    receiveFromWorker(at: now)
    if relay.isUnheard(at: now) { try connectAnew() }
    return true
  }

  private func obey() -> Bool {
    while let request = signals.next() {
      guard case .reload = request else { return false }
      logger.info("not reloaded: a gateway for a worker has one key; start another gateway for another key")
    }
    return true
  }

  /// Answers libzmq's authentication requests: only the worker's key is admitted.
  private func admit() throws {
    guard poller.isReadable(watched.admission) else { return }
    while let (ticket, request) = try authenticator.next() {
      guard case .curve(settings.worker) = request.proof else {
        report("refused \(request.address): it does not have the key of --admit")
        try authenticator.answer(ticket, .refused("this gateway is for another key"))
        continue
      }
      lastSerial += 1
      try authenticator.answer(ticket, .admitted(as: PeerName(.key(settings.worker), serial: lastSerial)))
    }
  }

  private func connectAnew() throws {
    report(
      "motiond does not answer at \(settings.motiond[0]). "
        + "Check that it runs there and accepts this gateway's key as a worker's")
    for registration in [
      watchedMotiond.link, watchedMotiond.commands, watchedMotiond.ticks, watchedMotiond.events,
    ] { poller.remove(registration) }
    if let life = relay.life { end(life) }
    relay.forget()
    wanted = []
    motiond = try MotiondSide(context, by: poller, settings)
    watchedMotiond = WatchedMotiond(motiond, in: poller)
  }

  /// motiond has granted a life: ends the subscriptions of the previous one. motiond may have subscribed to the events
  /// of the new one already.
  func begin(after former: WorkerRelay.Life?) {
    guard let life = relay.life, !life.isSame(as: former) else { return }
    if let former { end(former) }
    let topic = life.topic(.events)
    guard wanted.contains(topic) else { return }
    try? worker.events.subscribe(Topic.subscription(topic))
  }

  private func end(_ life: WorkerRelay.Life) {
    // A failure here means that memory has run out, which ends the process anyway.
    for (kind, socket) in [(WorkerTopic.Kind.commands, motiond.commands), (.ticks, motiond.ticks)] {
      let topic = life.topic(kind)
      if subscribed.remove(topic) != nil { try? socket.unsubscribe(Topic.subscription(topic)) }
    }
    let events = life.topic(.events)
    if wanted.contains(events) { try? worker.events.unsubscribe(Topic.subscription(events)) }
  }

  /// Logs a warning, unless a similar one was logged within a second.
  func report(_ text: String) {
    if let line = reports.line(text, at: BootClock.now) { logger.warning("\(line)") }
  }
}
