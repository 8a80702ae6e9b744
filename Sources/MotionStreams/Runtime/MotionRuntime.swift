/// Holds streams to properties, and knows whether anything is at work.
///
/// Connections stay until they are removed or the runtime goes, whoever holds them. For one thread.
public final class MotionRuntime: Inspectable {
  /// What it is called in graphs.
  public let name: String
  private weak var parent: MotionRuntime?
  /// Which connections, and which children, are at work.
  private var tokens: Set<ObjectIdentifier> = []
  private var connections: [Connection] = []
  private var lastNumber = 0
  /// For graphs: a runtime does not keep its children.
  private var children: [Child] = []
  private let activity: ReactiveProperty<MotionState>

  private struct Child {
    weak var runtime: MotionRuntime?
  }

  /// A runtime without connections.
  public init(named name: String = "runtime") {
    self.name = name
    activity = ReactiveProperty(.atRest, named: "activity of \(name)")
  }

  /// A runtime whose activity counts here, too. It does not keep this one alive.
  public func createChild(named name: String = "child") -> MotionRuntime {
    let child = MotionRuntime(named: name)
    child.parent = self
    children.removeAll { $0.runtime == nil }
    children.append(Child(runtime: child))
    return child
  }

  deinit {
    for connection in connections { connection.remove() }
    if !tokens.isEmpty { activity.write(.atRest) }
    parent?.note(.atRest, of: ObjectIdentifier(self))
  }

  /// `runtime`
  public var inspected: String { name }

  /// Whether any connection is active now, of its own or of a child: the present value of ``aggregateState``.
  public var isActive: Bool { activity.read() == .active }

  /// Active while any connection is, of its own or of a child.
  public var aggregateState: MotionObservable<MotionState> { activity.asStream().dedupe() }

  // MARK: Connecting

  /// Writes a stream to a property, until the connection is removed.
  @discardableResult
  public func write<Value: Equatable>(
    _ stream: MotionObservable<Value>, to property: ReactiveProperty<Value>
  ) -> Connection {
    open(stream, to: property) { property.write($0) }
  }

  /// Connects an interaction; the connections that it makes are removed with what is returned.
  @discardableResult
  public func add(_ interaction: any Interaction) -> Connections {
    let before = lastNumber
    interaction.connect(with: self)
    return Connections(connections.filter { $0.number > before })
  }

  /// Hears a stream for its effects, until the connection is removed.
  @discardableResult
  public func connect<Value>(_ stream: MotionObservable<Value>, _ next: @escaping (Value) -> Void) -> Connection {
    open(stream, to: nil, next)
  }

  private func open<Value>(
    _ stream: MotionObservable<Value>, to property: (any PropertyArgument)?, _ next: @escaping (Value) -> Void
  ) -> Connection {
    lastNumber += 1
    let connection = Connection(stream.metadata, to: property, number: lastNumber)
    connections.append(connection)
    let token = ObjectIdentifier(connection)
    connection.open(
      stream.subscribe(next: next, state: { [weak self] state in self?.note(state, of: token) })
    ) { [weak self] in self?.close(token) }
    return connection
  }

  /// Connects an interaction while a stream says true, and removes it while that says false, and with the connection.
  @discardableResult
  public func toggle(_ interaction: any Interaction, inReactionTo stream: MotionObservable<Bool>) -> Connection {
    var made: Connections?
    var isWanted = false
    func remove() {
      isWanted = false
      made?.remove()
      made = nil
    }
    let watched = MotionObservable<Bool>(stream.metadata) { observer in
      let disconnect = stream.connect(observer)
      return {
        disconnect()
        remove()
      }
    }
    return connect(watched) { [weak self] isOn in
      guard isOn, !isWanted else { return isOn ? () : remove() }
      isWanted = true
      made = self?.add(interaction)
      // What it connected may have turned it off.
      if !isWanted { remove() }
    }
  }

  /// Calls `body` once, as soon as all streams rest: at once if there are none, or all rest already.
  ///
  /// A stream that has not said that it is at work rests, as in ``aggregateState``: there are sources that never say
  /// anything else, a property for one. Of streams of states, as ``aggregateState`` and ``MotionObservable/asMotionState()``
  /// are, what they say as values counts, too.
  ///
  /// The streams are subscribed to until then, or until what is returned is released; one that is made anew for each
  /// subscription, as a spring's is, begins once more: share it by `_remember(_:)`.
  public func whenAllAtRest<Value>(
    _ streams: [MotionObservable<Value>], _ body: @escaping () -> Void
  ) -> Subscription {
    RestWatch(body).watch(streams)
  }

  // MARK: Activity

  private func note(_ state: MotionState, of token: ObjectIdentifier) {
    let wasActive = !tokens.isEmpty
    if state == .active { tokens.insert(token) } else { tokens.remove(token) }
    guard wasActive == tokens.isEmpty else { return }
    // What it is when it is said, not what it became: who hears it may change it.
    activity.write(tokens.isEmpty ? .atRest : .active)
    parent?.note(tokens.isEmpty ? .atRest : .active, of: ObjectIdentifier(self))
  }

  private func close(_ token: ObjectIdentifier) {
    connections.removeAll { ObjectIdentifier($0) == token }
    note(.atRest, of: token)
  }

  // MARK: Looking

  /// Everything that is connected, here and in children, as nodes and edges; the same at each run.
  public func graph() -> MotionGraph {
    var builder = GraphBuilder()
    add(to: &builder)
    return builder.graph
  }

  private func add(to builder: inout GraphBuilder) {
    for connection in connections { builder.add(connection.stream, to: connection.target) }
    for child in children { child.runtime?.add(to: &builder) }
  }

  /// Everything that is connected, in the language of Graphviz.
  public func toGraphViz() -> String { graph().graphViz }
}
