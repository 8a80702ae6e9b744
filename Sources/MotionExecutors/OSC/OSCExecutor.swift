public import MotionCore
public import MotionModel

/// Fulfils `SendOSC`: sends the values of properties by Open Sound Control.
///
/// The executor reads properties and writes none. A value is sent with the frame after the one that changed it; the
/// first value with the frame after the plan was added. A value that the rate forbids waits, and the executor requests
/// frames until it is sent. Messages of several plans to the same place in one frame share a bundle, whose time is that
/// of the frame. The rate counts seconds of the clock, not simulated ones, because the receiver has only the former.
/// While simulated time stands there are no frames, and waiting values stay queued.
///
/// An output never blocks the frames: host names are looked up while frames continue. A receiver that does not listen
/// gets the values resent later, and every receiver gets those that have not changed for a while, without frames. A plan fails if no host has its name, or if the process has no room
/// for another receiver.
public final class OSCExecutor: NamedExecutor, UpdatingExecutor, ReadingExecutor {
  /// `OSC`
  public static let type: ExecutorType = "OSC"
  /// The types of intentions that the executor fulfils.
  public static let descriptions = [SendOSCIntention.description]

  /// Declares executors that share their sockets. `report` gets a line when a receiver is not found or unreachable, and
  /// when it is reachable again, on any thread.
  public static func declaration(report: @escaping @Sendable (String) -> Void) -> ExecutorDeclaration {
    declaration(over: UDPTransport(report: report))
  }

  static func declaration(over transport: any OSCTransport) -> ExecutorDeclaration {
    ExecutorDeclaration(type: type, descriptions: descriptions, acceptsNames: true) { _, context in
      OSCExecutor(context: context, transport: transport)
    }
  }

  private struct Sender {
    let identity: IntentionIdentity
    let name: IntentionName?
    let plan: SendOSCIntention
    let property: PropertyReference
    let address: String
    let line: OSCLine
    var schedule: SendSchedule<[OSCMessage]>
    /// Whether the receiver's address was still being looked up at the last check.
    var isSought = true

    mutating func notice(_ state: PropertyState?) {
      schedule.notice(
        state.flatMap { OSCMessage.messages(of: $0, to: address, withVelocity: plan.sendsVelocity) })
    }
  }

  private let context: ExecutorContext
  private let transport: any OSCTransport
  /// In the order in which they were added.
  private var senders: [Sender] = []

  init(context: ExecutorContext, transport: any OSCTransport) {
    self.context = context
    self.transport = transport
  }

  deinit { removeAll { _ in true } }

  /// Sends a property, first its present value.
  ///
  /// - Throws: `Refusal` if the fields do not fit.
  public func add(_ planned: PlannedIntention) throws { try add(planned, under: nil) }

  /// Sends a property, under a name; see ``add(_:)``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, under: name) }

  private func add(_ planned: PlannedIntention, under name: IntentionName?) throws {
    let plan = try SendOSCIntention(planned.intention)
    var sender = Sender(
      identity: planned.identity, name: name, plan: plan, property: plan.reference(on: context.target),
      address: plan.address(on: context.target),
      line: transport.open(
        to: OSCPlace(host: plan.host, port: plan.port),
        keepAlive: plan.keepAlive > .zero ? plan.keepAlive / .seconds(1) : nil),
      schedule: SendSchedule(rate: plan.rate))
    sender.notice(context.state(of: sender.property))
    senders.append(sender)
  }

  /// Stops sending.
  public func remove(_ identity: IntentionIdentity) { removeAll { $0.identity == identity } }

  /// Stops sending.
  public func remove(named name: IntentionName) { removeAll { $0.name == name } }

  private func removeAll(where isGone: (Sender) -> Bool) {
    for sender in senders where isGone(sender) { transport.close(sender.line) }
    senders.removeAll(where: isGone)
  }

  /// Stores the property's new value; it is sent with the next frame, or when the rate allows it.
  public func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    for index in senders.indices where senders[index].property == property {
      senders[index].notice(state)
      if state == nil { transport.forget(senders[index].line) }
    }
  }

  /// Sends the values that are due; returns true while a value waits or a receiver is looked up.
  public func update(_ frame: Frame) -> Bool {
    seek()
    let now = transport.now
    for (place, batch) in batches(at: now.seconds) {
      let words = batch.senders.compactMap { index in
        senders[index].schedule.take(at: batch.time).map {
          OSCWords(line: senders[index].line, timeTag: senders[index].plan.timeTag, messages: $0)
        }
      }
      transport.send(words, to: place, at: now.moved(to: batch.time))
    }
    return senders.contains { $0.isSought || $0.schedule.isWaiting }
  }

  /// Fails the plans whose receivers cannot be found or were refused.
  private func seek() {
    for index in senders.indices.reversed() where senders[index].isSought {
      let sender = senders[index]
      switch transport.whereabouts(of: sender.line.place) {
      case .sought: break
      case .settled: senders[index].isSought = false
      case .missing(let reason): fail(sender, Self.refusal(of: sender.plan.host, reason))
      case .refused: fail(sender, Self.tooManyReceivers)
      }
    }
  }

  private func fail(_ sender: Sender, _ refusal: Refusal) {
    remove(sender.identity)
    context.fail(sender.identity, reason: refusal.description)
  }

  private static var tooManyReceivers: Refusal {
    Refusal(
      .limit, field: "host", "this worker sends to \(UDPPost.mostReceivers) receivers already",
      remedy: "Remove plans for receivers that are not needed, or give the plugin more instances.")
  }

  private static func refusal(of host: String, _ reason: String) -> Refusal {
    Refusal(
      .notFound, field: "host", "the host \"\(host)\" is not found: \(reason)",
      remedy: "Use its numeric address, or a name that `getent hosts` finds, and add the plan again.")
  }

  /// The messages for a place in a frame: the plans in their order, and the latest of their times, which is valid for
  /// all.
  private typealias Batch = (senders: [Int], time: Double)

  /// The batches that may be sent now, in the order of the plans.
  private func batches(at now: Double) -> [(OSCPlace, Batch)] {
    var batches: [(OSCPlace, Batch)] = []
    var positions: [OSCPlace: Int] = [:]
    for index in senders.indices where senders[index].schedule.isWaiting {
      let line = senders[index].line
      if let time = transport.lastRepeat(on: line) { senders[index].schedule.noticeRepeat(at: time) }
      guard let time = senders[index].schedule.time(at: now) else { continue }
      let position = positions[line.place, default: batches.count]
      if position == batches.count {
        positions[line.place] = position
        batches.append((line.place, ([], time)))
      }
      batches[position].1.senders.append(index)
      batches[position].1.time = max(batches[position].1.time, time)
    }
    return batches
  }
}
