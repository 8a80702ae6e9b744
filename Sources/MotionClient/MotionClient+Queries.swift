public import MotionModel

extension MotionClient {
  /// The targets, in order of first mention.
  public func targets() throws(MotionClientError) -> [TargetRow] {
    guard case .targets(let rows) = try query(.targets) else { throw Self.unexpectedAnswer("targets") }
    return rows
  }

  /// The properties of a target, or of all.
  public func properties(of target: TargetName? = nil) throws(MotionClientError) -> [PropertyRow] {
    guard case .properties(let rows) = try query(.properties(target)) else { throw Self.unexpectedAnswer("properties") }
    return rows
  }

  /// The executors of a target, or of all.
  public func executors(of target: TargetName? = nil) throws(MotionClientError) -> [ExecutorRow] {
    guard case .executors(let rows) = try query(.executors(target)) else { throw Self.unexpectedAnswer("executors") }
    return rows
  }

  /// The intentions of a target, or of all, failed ones included.
  public func intentions(of target: TargetName? = nil) throws(MotionClientError) -> [IntentionRow] {
    guard case .intentions(let rows) = try query(.intentions(target)) else { throw Self.unexpectedAnswer("intentions") }
    return rows
  }

  /// The tokens of a target, or of all.
  public func tokens(of target: TargetName? = nil) throws(MotionClientError) -> [TokenRow] {
    guard case .tokens(let rows) = try query(.tokens(target)) else { throw Self.unexpectedAnswer("tokens") }
    return rows
  }

  /// The transactions that wait for their time, in the order in which they will be applied.
  public func waiting() throws(MotionClientError) -> [WaitingRow] {
    guard case .waiting(let rows) = try query(.waiting) else { throw Self.unexpectedAnswer("waiting") }
    return rows
  }

  /// The plugins with their workers.
  public func plugins() throws(MotionClientError) -> [PluginRow] {
    guard case .plugins(let rows) = try query(.plugins) else { throw Self.unexpectedAnswer("plugins") }
    return rows
  }

  /// The descriptions of the daemon's types of intentions.
  public func types() throws(MotionClientError) -> [IntentionDescription] {
    guard case .types(let types) = try query(.types(nil)) else { throw Self.unexpectedAnswer("types") }
    return types
  }

  /// The objects of one target or of all, and the relations between them, workers' streams included. The daemon waits
  /// for its workers, half a second at most.
  public func graph(of target: TargetName? = nil) throws(MotionClientError) -> RuntimeGraph {
    guard case .graph(let graph) = try query(.graph(target)) else { throw Self.unexpectedAnswer("graph") }
    return graph
  }

  /// Why a property has its value.
  public func explanation(of property: PropertyReference) throws(MotionClientError) -> Explanation {
    guard case .why(let explanation) = try query(.why(property)) else { throw Self.unexpectedAnswer("why") }
    return explanation
  }

  /// The daemon's status.
  public func status() throws(MotionClientError) -> Status {
    guard case .status(let status) = try query(.status) else { throw Self.unexpectedAnswer("status") }
    return status
  }

  /// The error for an answer to another query than the one that was sent.
  private static func unexpectedAnswer(_ asked: String) -> MotionClientError {
    .unexpected("something else", to: "query of \(asked)")
  }
}
