import Glibc
import LinuxSystem
import MotionLink
import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

@testable import MotionCoordinator
@testable import MotionExecutorKit
@testable import MotionJournal

/// A moment: time advances to the next event, and every part that is not suspended receives and sends its messages.
extension World {
  /// The shortest time between two moments, so that a scenario ends.
  private static let shortest = Duration.microseconds(200)

  /// Runs until `time`, as long as all invariants hold.
  func run(until time: Duration) throws {
    while machine.now < time, failures.isEmpty { try pass(to: min(time, nextMoment ?? time)) }
  }

  private var nextMoment: Duration? {
    var next: Duration?
    func note(_ time: Duration?) {
      guard let time else { return }
      next = min(next ?? time, time)
    }
    if coordinator != nil {
      note(machine.nextAlarm.map { max($0, coordinatorStoppedUntil) })
      note(toCoordinator.nextArrival.map { max($0, coordinatorStoppedUntil) })
      note(subscriptions.nextArrival.map { max($0, coordinatorStoppedUntil) })
      for thread in machine.threads where thread.stalledUntil > machine.now { note(thread.stalledUntil) }
    }
    note(restart)
    note(nextProcess)
    note(toPeers.nextArrival)
    for worker in workers { note(worker.conduct.link.nextDeadline.map { max($0, worker.stoppedUntil) }) }
    for client in everybody { note(client.nextDue) }
    return next
  }

  private func pass(to time: Duration) throws {
    if machine.pass(to: max(time, machine.now + Self.shortest)) { hasNews = true }
    if let restart, machine.now >= restart { try start() }
    try bury()
    try spawn()
    try runCoordinator()
    try killAtRareMoments()
    // Requested processes are scheduled to start.
    try spawn()
    try deliverToPeers()
    try runWorkers()
    for client in everybody {
      client.turn(at: machine.now)
      sendOut(client)
    }
  }

  /// The coordinator receives the messages of one peer after the other, then its alarms and its disk.
  private func runCoordinator() throws {
    guard coordinator != nil, machine.now >= coordinatorStoppedUntil else { return }
    var deliveries: [Peer: [Delivery]] = [:]
    var order: [Peer] = []
    while let delivery = subscriptions.receive(at: machine.now) ?? toCoordinator.receive(at: machine.now) {
      if deliveries[delivery.peer] == nil { order.append(delivery.peer) }
      deliveries[delivery.peer, default: []].append(delivery)
    }
    for peer in order {
      for delivery in deliveries[peer] ?? [] { try deliver(delivery) }
      try turn(hearing: name(of: peer))
    }
    if order.isEmpty, hasNews || inside({ $0.isHurried }) == true { try turn(hearing: nil) }
    hasNews = false
    runThreads()
    if inside({ $0.hasMail }) == true { try turn(hearing: nil) }
  }

  private func runThreads() {
    for thread in machine.threads where machine.now >= thread.stalledUntil {
      thread.turn()
      // A write takes time, and sometimes much of it.
      let most = random.chance(0.01) ? 1500 : 15
      if random.chance(0.3) {
        thread.stalledUntil = machine.now + .milliseconds(Int.random(in: 1...most, using: &random))
        if most > 15 { hinder(until: thread.stalledUntil) }
      }
    }
  }

  private func name(of peer: Peer) -> PeerName? {
    switch peer {
    case .worker(let serial): worker(serial)?.name
    case .client(let number): everybody[number].name
    }
  }

  func worker(_ serial: UInt64) -> SimulatedWorker? { workers.first { $0.serial == serial } }

  private func deliver(_ delivery: Delivery) throws {
    switch (delivery.peer, delivery.content) {
    case (.worker(let serial), .worker(let packet)):
      guard let worker = worker(serial), worker.start == starts else { return }
      try worker.deliver(packet)
    case (.client(let number), .client(let bytes)):
      mix(UInt64(bytes.count))
      try everybody[number].deliver(bytes)
    default: break
    }
  }

  private func deliverToPeers() throws {
    while let delivery = toPeers.receive(at: machine.now) {
      switch (delivery.peer, delivery.content) {
      case (.worker(let serial), .worker(let packet)): worker(serial)?.bring(packet)
      case (.client(let number), .client(let bytes)):
        try everybody[number].hear(bytes, at: machine.now)
        sendOut(everybody[number])
      default: break
      }
    }
  }

  private func runWorkers() throws {
    for worker in workers where machine.now >= worker.stoppedUntil && worker.conduct.exit == nil {
      let isDue = worker.conduct.link.nextDeadline.map { machine.now >= $0 } ?? false
      guard isDue || !worker.mail.isEmpty || !worker.hasStarted else { continue }
      for packet in try worker.turn() {
        let delivery = Delivery(peer: .worker(serial: worker.serial), content: .worker(packet))
        guard worker.start == starts, coordinator != nil else { continue }
        if case .subscribe = packet {
          subscriptions.send(delivery, at: machine.now)
        } else {
          toCoordinator.send(delivery, at: machine.now)
        }
      }
    }
  }

  private func sendOut(_ client: ConversingClient) {
    for bytes in client.outgoing where coordinator != nil {
      toCoordinator.send(Delivery(peer: .client(client.number), content: .client(bytes)), at: machine.now)
    }
    client.outgoing = []
  }
}

extension Coordinator {
  /// Whether another thread, or the table of processes, has posted a message to it.
  fileprivate var hasMail: Bool {
    let boxes = [
      workers.launcher.events.descriptor, clients.decoder.descriptor, workers.eventDecoder.descriptor,
      commits.descriptor ?? -1,
    ]
    var entries = boxes.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&entries, nfds_t(entries.count), 0) > 0
  }
}
