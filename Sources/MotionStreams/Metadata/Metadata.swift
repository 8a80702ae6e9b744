/// The description of a stream: its source and its operators with their arguments, as they were called.
///
///     drag(: pan)
///       .translated(from: position of ball, in: screen)
///       .writeTo(position, of: ball)
///
/// Source: the specification of Material Motion's inspection, 2016. Made once for each stream that is built, never for
/// a value.
public struct Metadata {
  /// One source or operator as it was called.
  public struct Call {
    /// The label of the call: `x()`, `toggled(with:)`, or a mere `drag`.
    public let name: String
    /// The arguments, in order.
    public let args: [Any]
    /// An object that is the same for every copy of this call, so that graphs distinguish calls with equal text: the
    /// property whose stream begins here, or an object of its own.
    let origin: AnyObject

    init(_ name: String, _ args: [Any]?, origin: AnyObject? = nil) {
      self.name = name
      self.args = args ?? []
      self.origin = origin ?? Mark()
    }

    private final class Mark {}
  }

  private indirect enum Chain {
    case root(Call)
    case child(Call, of: Chain)
  }

  private let chain: Chain

  /// The metadata of a source.
  public init(_ name: String, args: [Any]? = nil) {
    chain = .root(Call(name, args))
  }

  /// The metadata of a property's stream.
  init(_ name: String, origin: AnyObject) { chain = .root(Call(name, nil, origin: origin)) }

  private init(_ chain: Chain) { self.chain = chain }

  /// The metadata of an operator on this stream; this one is unchanged.
  public func with(_ name: String, args: [Any]? = nil) -> Metadata {
    Metadata(.child(Call(name, args), of: chain))
  }

  /// The label of the source or operator itself, the last of ``calls``.
  public var name: String { last.name }

  /// The arguments of the source or operator itself, in order.
  public var args: [Any] { last.args }

  private var last: Call {
    switch chain {
    case .root(let call), .child(let call, of: _): call
    }
  }

  /// The source and its operators, in order.
  public var calls: [Call] {
    var calls: [Call] = []
    var next = chain
    while case .child(let call, let parent) = next {
      calls.append(call)
      next = parent
    }
    if case .root(let call) = next { calls.append(call) }
    return calls.reversed()
  }
}

/// Another name of ``Metadata``.
public typealias OperatorMetadata = Metadata

extension Metadata: CustomDebugStringConvertible {
  /// The chain: the source flush left, every operator on a line of its own.
  public var debugDescription: String {
    calls.enumerated().map { index, call in index == 0 ? call.text : "  ." + call.text }.joined(separator: "\n")
  }
}

extension Metadata.Call {
  /// The call as it would be written, arguments and all.
  public var text: String { text(of: ArgumentText.text) }

  /// The call as it would be written, with streams left out: they have nodes of their own in a graph.
  var label: String {
    text(of: Self.shortText)
  }

  private static func shortText(of argument: Any) -> String {
    if argument is any StreamArgument || (argument as? RewriteTable)?.hasStreams == true { return "…" }
    guard let list = argument as? [any StreamArgument] else { return ArgumentText.text(of: argument) }
    return list.map(shortText).joined(separator: ", ")
  }

  private func text(of argument: (Any) -> String) -> String {
    guard !args.isEmpty else { return baseName + "()" }
    let labels = labels
    let pieces = args.enumerated().map { index, arg in
      // "writeTo(:of:)": an argument whose label is empty stands alone.
      guard index < labels.count, labels[index].isEmpty else {
        return (index < labels.count && labels[index] != "_" ? labels[index] : "") + ": " + argument(arg)
      }
      return argument(arg)
    }
    return "\(baseName)(\(pieces.joined(separator: ", ")))"
  }

  /// The name before the parenthesis.
  public var baseName: String { String(name.prefix { $0 != "(" }) }

  /// The labels of the arguments; `_` for one that has none.
  private var labels: [Substring] {
    name.dropFirst(baseName.count + 1).split(separator: ":", omittingEmptySubsequences: false).dropLast()
  }
}
