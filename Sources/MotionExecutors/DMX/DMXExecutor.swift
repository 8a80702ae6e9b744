public import MotionCore
public import MotionModel

/// Fulfils `SendDMX`: sends the levels of lamps and heads by sACN and Art-Net.
///
/// The executor reads properties and writes none. With each frame after a change it draws the channels concerned, and its
/// transport sends them, at most as often as the patch permits, whatever the frames do: also while simulated time stands.
/// All executors of a process share the transport, which owns the ports. A plan fails if another one of the process sends
/// one of its universes.
public final class DMXExecutor: NamedExecutor, UpdatingExecutor, ReadingExecutor, RenewedExecutor {
  /// `DMX`
  public static let type: ExecutorType = "DMX"
  /// The types of intentions that the executor fulfils.
  public static let descriptions = [SendDMXIntention.description]

  private struct Sender {
    let identity: IntentionIdentity
    let name: IntentionName?
    let line: DMXPost.Line
    var picture: DMXPicture
  }

  private let context: ExecutorContext
  private let transport: any DMXTransporting
  private var senders: [Sender] = []

  init(context: ExecutorContext, transport: any DMXTransporting) {
    self.context = context
    self.transport = transport
  }

  deinit { for sender in senders { transport.close(sender.line) } }

  static func declaration(over transport: any DMXTransporting) -> ExecutorDeclaration {
    ExecutorDeclaration(type: type, descriptions: descriptions, acceptsNames: true) { _, context in
      DMXExecutor(context: context, transport: transport)
    }
  }

  /// Sends a patch.
  ///
  /// - Throws: `Refusal` if the fields do not fit, or another plan sends one of the universes.
  public func add(_ planned: PlannedIntention) throws { try add(planned, under: nil) }

  /// Sends a patch, under a name; see ``add(_:)``.
  public func add(_ planned: PlannedIntention, named name: IntentionName) throws { try add(planned, under: name) }

  private func add(_ planned: PlannedIntention, under name: IntentionName?) throws {
    let patch = try SendDMXIntention(planned.intention).patch
    var picture = DMXPicture(patch) { context.state(of: $0)?.value }
    _ = picture.takeChanged()
    switch transport.open(patch, picture.levels) {
    case .success(let line):
      senders.append(Sender(identity: planned.identity, name: name, line: line, picture: picture))
    case .failure(let taken):
      throw Refusal(
        .value, field: "patch",
        "universe \(taken.universe.number) is sent as \(taken.universe.carrier.rawValue) \(taken.universe.address) by another plan",
        remedy: "Remove that plan, or give this one its name.")
    }
  }

  /// Ends the patch: its streams end.
  public func remove(_ identity: IntentionIdentity) { removeAll { $0.identity == identity } }

  /// Ends the patch of that name.
  public func remove(named name: IntentionName) { removeAll { $0.name == name } }

  /// Sends its patches on until they are added again.
  public func willBeRenewed() {
    for sender in senders { transport.leave(sender.line) }
    senders = []
  }

  private func removeAll(where isGone: (Sender) -> Bool) {
    for sender in senders where isGone(sender) { transport.close(sender.line) }
    senders.removeAll(where: isGone)
  }

  /// Takes over the property's new value, which the next frame sends.
  public func noticed(_ property: PropertyReference, _ state: PropertyState?) {
    for index in senders.indices { senders[index].picture.notice(property, state?.value) }
  }

  /// Draws and sends what has changed. It needs no frame by itself.
  public func update(_ frame: Frame) -> Bool {
    for index in senders.indices {
      let changed = senders[index].picture.takeChanged().sorted()
      guard !changed.isEmpty else { continue }
      transport.show(senders[index].line, changed.map { ($0, senders[index].picture.levels[$0]) })
    }
    return false
  }
}

/// The DMX outputs of a process.
public final class DMXOutputs {
  private let transport: DMXTransport

  /// Creates the outputs of a process.
  ///
  /// - Parameters:
  ///   - instance: what tells this motiond from others of the machine, and stays the same over restarts: the identity of
  ///     its sources follows from it and from the machine.
  ///   - report: gets a line when a receiver is not found or unreachable, and when it is reachable again; on any thread.
  public init(instance: String, report: @escaping @Sendable (String) -> Void) {
    transport = DMXTransport(
      identity: MachineIdentity.identity(of: instance), name: "motiond on \(MachineIdentity.hostName)", report: report)
  }

  /// Declares executors that share the outputs.
  public var declaration: ExecutorDeclaration { DMXExecutor.declaration(over: transport) }

  /// Ends all streams, because the process ends.
  public func end() { transport.end() }
}
