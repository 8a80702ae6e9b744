/// Streams split into chains of calls as text, with the connections between them, for drawing outside this process.
///
/// As in a ``MotionGraph``, a call is listed once, however many streams go through it: a chain may branch off from
/// another. Streams and properties that are arguments are chains of their own. In the call that they are given to, `…`
/// stands for a stream, and a property's name for that property. A chain comes after those that it refers to. Linear in
/// the calls.
public struct StreamChains {
  /// A call of a chain, both by their indices from 0.
  public struct Place: Hashable, Sendable {
    /// The chain.
    public let chain: Int
    /// The call in it.
    public let call: Int
  }

  /// A sequence of calls.
  public struct Chain: Hashable, Sendable {
    /// The calls, as they would be written.
    public fileprivate(set) var calls: [String] = []
    /// The call of another chain that the first of them follows; `nil` for one that begins with a source.
    public fileprivate(set) var follows: Place?
    /// The call that the chain is an argument of; `nil` for one of the streams themselves.
    public fileprivate(set) var argumentOf: Place?
  }

  /// The chains: each stream, in order, with those that are its arguments behind it.
  public private(set) var chains: [Chain] = []
  private var known: [ObjectIdentifier: Place] = [:]

  /// Splits streams into chains.
  public init(_ streams: [Metadata]) {
    // The objects behind the identities live as long as the streams do, so that no other object has them meanwhile.
    withExtendedLifetime(streams) { for stream in streams { add(stream, asArgumentOf: nil) } }
  }

  private mutating func add(_ stream: Metadata, asArgumentOf place: Place?) {
    let index = begin(asArgumentOf: place)
    var arguments: [(Any, Place)] = []
    for call in stream.calls {
      // Streams that share a call also share all calls before it.
      let label = (call.origin as? any PropertyArgument)?.inspected ?? call.label
      guard let place = append(label, of: call.origin, to: index) else { continue }
      arguments += call.args.map { ($0, place) }
    }
    for (argument, place) in arguments { addArgument(argument, of: place) }
  }

  private mutating func begin(asArgumentOf place: Place?) -> Int {
    chains.append(Chain(argumentOf: place))
    return chains.count - 1
  }

  /// - Returns: the call's place if it is new; a known call is followed instead.
  private mutating func append(_ label: String, of origin: AnyObject, to index: Int) -> Place? {
    if let known = known[ObjectIdentifier(origin)] {
      chains[index].follows = known
      return nil
    }
    chains[index].calls.append(label)
    let place = Place(chain: index, call: chains[index].calls.count - 1)
    known[ObjectIdentifier(origin)] = place
    return place
  }

  private mutating func addArgument(_ argument: Any, of place: Place) {
    if let stream = argument as? any StreamArgument {
      add(stream.metadata, asArgumentOf: place)
    } else if let property = argument as? any PropertyArgument {
      let index = begin(asArgumentOf: place)
      _ = append(property.inspected, of: property, to: index)
    } else if let table = argument as? RewriteTable {
      for value in table.values { addArgument(value, of: place) }
    } else if let list = argument as? [Any] {
      for element in list { addArgument(element, of: place) }
    }
  }
}
