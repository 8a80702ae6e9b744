/// A request to stop all motion on certain targets, or on all of them.
///
/// An array literal names the targets: `.stop(["ball"])`, and `.stop([])` for all.
public struct StopRequest: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The targets; all of them if there are none.
  public var targets: [TargetName]
  /// A selector for the targets, in place of the list. motiond resolves it when the request arrives; a runtime stops
  /// nothing for a request that still has one.
  public var selector: TargetSelector?
  /// Whether plans that are outputs (``IntentionKind/output``) end, too. By default they stay, because they move
  /// nothing.
  public var outputs: Bool
  /// Whether the properties brake, within their limits or in ``Limits/rampSeconds``, instead of standing at once.
  public var ramp: Bool
  /// The client that stopped them; `nil` in a request. motiond sets it for recordings and the journal.
  public var by: Committer?

  /// Creates a stop of these targets, or of all if there are none.
  public init(_ targets: [TargetName] = [], outputs: Bool = false, ramp: Bool = false) {
    (self.targets, self.outputs, self.ramp) = (targets, outputs, ramp)
  }

  /// Creates a stop of the targets for which a selector stands.
  public init(each selector: TargetSelector, outputs: Bool = false, ramp: Bool = false) {
    self.init(selector.name.map { [$0] } ?? [], outputs: outputs, ramp: ramp)
    if selector.name == nil { self.selector = selector }
  }

  /// What is stopped, with its verb, for people: `2 targets are`.
  package var ofWhat: String {
    switch targets.count {
    case 0: "everything is"
    case 1: "\(targets[0]) is"
    default: "\(targets.count) targets are"
    }
  }

  /// Creates a stop of these targets, or of all if there are none; outputs stay.
  public init(arrayLiteral targets: TargetName...) { self.init(targets) }
}
