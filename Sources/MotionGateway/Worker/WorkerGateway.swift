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
  private var admission: ConnectionAdmission
  let worker: WorkerSide
  var motiond: MotiondSide
  let loop: GatewayLoop
  let watched: Watched
  var watchedMotiond: WatchedMotiond
  var relay: WorkerRelay
  /// Topics of events that motiond has subscribed to.
  var wanted: Set<String> = []
  /// Topics at motiond that are subscribed to for the worker.
  var subscribed: Set<String> = []
  var reports = ReportLimit(per: .seconds(1))

  /// The registrations of the poll.
  struct Watched {
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
    loop = try GatewayLoop()
    context = try ZeroMQContext(maxSockets: 64)
    admission = try ConnectionAdmission(context, in: loop.poller)
    worker = try WorkerSide(context, settings)
    motiond = try MotiondSide(context, by: loop.poller, settings)
    relay = WorkerRelay(ports: settings.listener.compactMap(\.port), settings.limits, at: BootClock.now)
    watched = Watched(
      link: loop.poller.add(worker.link), commands: loop.poller.add(worker.commands),
      ticks: loop.poller.add(worker.ticks), events: loop.poller.add(worker.events))
    watchedMotiond = WatchedMotiond(motiond, in: loop.poller)
    try GatewayProcess.bound(
      memory: settings.limits.memory, connections: settings.limits.connections)
  }

  /// Serves until TERM or INT arrives.
  package func run() throws {
    logger.info("serving a worker at \(settings.listener[0]), for motiond at \(settings.motiond[0])")
    try loop.serve(until: { relay.nextDeadline }, reload: reload, turn: turn)
    logger.info("stopped")
  }

  private func turn(at now: Duration) throws {
    try admission.answer(in: loop.poller, refusal: "this gateway is for another key") { request in
      if case .curve(settings.worker) = request.proof { return .key(settings.worker) }
      report("refused \(request.address): it does not have the key of --admit")
      return nil
    }
    receiveFromMotiond()
    receiveFromWorker(at: now)
    if relay.isUnheard(at: now) { try connectAnew() }
  }

  private func reload() {
    logger.info("not reloaded: a gateway for a worker has one key; start another gateway for another key")
  }

  private func connectAnew() throws {
    report(
      "motiond does not answer at \(settings.motiond[0]). "
        + "Check that it runs there and accepts this gateway's key as a worker's")
    for registration in [
      watchedMotiond.link, watchedMotiond.commands, watchedMotiond.ticks, watchedMotiond.events,
    ] { loop.poller.remove(registration) }
    if let life = relay.life { end(life) }
    relay.forget()
    wanted = []
    motiond = try MotiondSide(context, by: loop.poller, settings)
    watchedMotiond = WatchedMotiond(motiond, in: loop.poller)
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
