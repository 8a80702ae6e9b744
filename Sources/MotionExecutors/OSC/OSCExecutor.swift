public import MotionCore
public import MotionModel

/// Fulfils `SendOSC`: says by Open Sound Control where properties are.
///
/// It reads, and writes nothing. A value goes out with the frame after the one that changed it, the first with the frame
/// after the plan was added; while the rate forbids it, it waits, and the executor asks for frames until it is gone. What
/// several plans have to send to the same place in a frame goes together in one bundle, whose time is that of the frame.
/// The rate counts seconds of the clock, not simulated ones: the receiver has no others. While simulated time stands
/// there are no frames, and what waits goes on waiting.
///
/// It is an output, and never in the way: what cannot be sent is counted and tried a few times more.
public final class OSCExecutor: NamedExecutor, UpdatingExecutor, ReadingExecutor {
  /// `OSC`
  public static let type: ExecutorType = "OSC"
  /// The types of intentions that it fulfils.
  public static let descriptions = [SendOSCIntention.description]

  /// Declares executors that send through one socket, made when it is needed; `report` gets a line whenever sending begins
  /// to fail, and when it succeeds again.
  public static func declaration(report: @escaping (String) -> Void) -> ExecutorDeclaration {
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
    let property: PropertyReference
    let address: String
    let destination: OSCDestination
    var schedule: SendSchedule

    mutating func notice(_ state: PropertyState?) {
      schedule.notice(state.map { OSCMessage.arguments($0.value) })
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

  /// Sends a property, first as it is now.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or there is no such host.
  public func add(_ planned: PlannedIntention) throws { try add(planned, under: nil) }

  /// Sends a property, under a name; see ``add(_:)``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, under: name) }

  private func add(_ planned: PlannedIntention, under name: IntentionName?) throws {
    let plan = try SendOSCIntention(planned.intention)
    var sender = Sender(
      identity: planned.identity, name: name, property: plan.property, address: plan.address,
      destination: try transport.destination(host: plan.host, port: plan.port), schedule: SendSchedule(rate: plan.rate))
    sender.notice(context.state(of: plan.property))
    senders.append(sender)
  }

  /// Sends it no more.
  public func remove(_ identity: IntentionIdentity) { senders.removeAll { $0.identity == identity } }

  /// Sends it no more.
  public func remove(named name: IntentionName) { senders.removeAll { $0.name == name } }

  /// Takes note of where a property went; it is sent with the next frame, or when the rate allows it.
  public func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    for index in senders.indices where senders[index].property == property { senders[index].notice(state) }
  }

  /// Sends what may be sent; it has more to do while something waits.
  public func update(_ frame: Frame) -> Bool {
    let now = transport.now
    for (destination, items) in takeItems(at: now.seconds) { send(items, to: destination, at: now.tag) }
    return senders.contains { $0.schedule.isWaiting }
  }

  /// A message, and the place of the plan that sends it.
  private typealias Item = (sender: Int, message: OSCMessage)

  /// What is to be sent now, by destination; all in the order of the plans.
  private func takeItems(at now: Double) -> [(OSCDestination, [Item])] {
    var batches: [(OSCDestination, [Item])] = []
    var places: [OSCDestination: Int] = [:]
    for index in senders.indices {
      guard let arguments = senders[index].schedule.take(at: now) else { continue }
      let item = (index, OSCMessage(address: senders[index].address, arguments: arguments))
      let destination = senders[index].destination
      if let place = places[destination] {
        batches[place].1.append(item)
      } else {
        places[destination] = batches.count
        batches.append((destination, [item]))
      }
    }
    return batches
  }

  private func send(_ items: [Item], to destination: OSCDestination, at time: OSCTimeTag) {
    let messages = items.map(\.message)
    for range in OSCBundle.split(messages) {
      let isSent = transport.send(OSCBundle.packet(of: messages[range], at: time), to: destination)
      guard !isSent else { continue }
      for item in items[range] { senders[item.sender].schedule.fail() }
    }
  }
}
