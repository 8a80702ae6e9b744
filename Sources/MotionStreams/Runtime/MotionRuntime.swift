/// Connects streams to properties, and aggregates whether any of them is active.
///
/// Connections stay until they are removed or the runtime is released, whether or not the caller keeps them. For one
/// thread.
public final class MotionRuntime: Inspectable {
  /// The name in graphs.
  public let name: String
  private weak var parent: MotionRuntime?
  /// The connections and the children that are active.
  private var tokens: Set<ObjectIdentifier> = []
  private var connections: [Connection] = []
  private var lastNumber = 0
  /// For graphs: a runtime does not keep its children alive.
  private var children: [Child] = []
  private let activity: ReactiveProperty<MotionState>

  private struct Child {
    weak var runtime: MotionRuntime?
  }

  /// Creates a runtime without connections.
  public init(named name: String = "runtime") {
    self.name = name
    activity = ReactiveProperty(.atRest, named: "activity of \(name)")
  }

  /// Creates a runtime whose activity counts in this one, too. The child does not keep this runtime alive.
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

  /// Whether any connection of this runtime or of a child is active now: the present value of ``aggregateState``.
  public var isActive: Bool { activity.read() == .active }

  /// Active while any connection of this runtime or of a child is.
  public var aggregateState: MotionObservable<MotionState> { activity.asStream().dedupe() }

  // MARK: Connecting

  /// Writes a stream to a property, until the connection is removed.
  @discardableResult
  public func write<Value: Equatable>(
    _ stream: MotionObservable<Value>, to property: ReactiveProperty<Value>
  ) -> Connection {
    open(stream, to: property) { property.write($0) }
  }

  /// Connects an interaction; the connections that it makes are removed with the returned value.
  @discardableResult
  public func add(_ interaction: any Interaction) -> Connections {
    let before = lastNumber
    interaction.connect(with: self)
    return Connections(connections.filter { $0.number > before })
  }

  /// Calls `next` for the values of a stream, until the connection is removed.
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

  /// Connects an interaction while the last value of a stream is true, and removes it while it is false, and with the
  /// connection.
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
      // A stream that it connected may have turned it off.
      if !isWanted { remove() }
    }
  }

  /// Calls `body` once, as soon as all streams rest: at once if there are none, or all rest already.
  ///
  /// A stream that has not reported `active` counts as at rest, as in ``aggregateState``: some sources never report a
  /// state, such as properties. For streams of states, such as ``aggregateState`` and
  /// ``MotionObservable/asMotionState()``, the emitted values count, too.
  ///
  /// The streams are subscribed to until then, or until the returned subscription is released. A stream that starts for
  /// each subscription, such as a spring's, starts once more: share it by `_remember(_:)`.
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
    // The state at the time of this write, not a later one: an observer of it may change it.
    activity.write(tokens.isEmpty ? .atRest : .active)
    parent?.note(tokens.isEmpty ? .atRest : .active, of: ObjectIdentifier(self))
  }

  private func close(_ token: ObjectIdentifier) {
    connections.removeAll { ObjectIdentifier($0) == token }
    note(.atRest, of: token)
  }

  // MARK: Inspection

  /// All connections, here and in children, as nodes and edges; the same at each run.
  public func graph() -> MotionGraph {
    var builder = GraphBuilder()
    add(to: &builder)
    return builder.graph
  }

  private func add(to builder: inout GraphBuilder) {
    for connection in connections { builder.add(connection.stream, to: connection.target) }
    for child in children { child.runtime?.add(to: &builder) }
  }

  /// All connections, in the language of Graphviz.
  public func toGraphViz() -> String { graph().graphViz }
}
