/// The identity of a plan: the operation that added it, or the plan that emitted it and its ordinal there.
///
/// A plan keeps its identity in every process and after every restart, so that a repeated emission is recognised and
/// has no effect. Identities are ordered as their additions are.
public struct IntentionIdentity: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The sequence of the transaction that added it, or added its first ancestor.
  public var sequence: UInt64
  /// The index of the operation in that transaction.
  public var operation: UInt32
  /// For an emitted plan: the ordinals from the first ancestor down; empty for a plan that a client added.
  public var path: [UInt32]

  /// Creates the identity of the plan that operation `operation` of transaction `sequence` added, or of a descendant of
  /// it.
  public init(sequence: UInt64, operation: UInt32, path: [UInt32] = []) {
    self.sequence = sequence
    self.operation = operation
    self.path = path
  }

  /// Reads a ``description``; `nil` if the text is no identity.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts.count <= 2 + Limits.emissionDepth,
      parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }), let sequence = UInt64(parts[0]),
      let operation = UInt32(parts[1])
    else { return nil }
    let path = parts.dropFirst(2).compactMap { UInt32($0) }
    guard path.count == parts.count - 2 else { return nil }
    self.init(sequence: sequence, operation: operation, path: path)
  }

  /// Returns the identity of the plan that this one emits as its `ordinal`-th.
  public func child(_ ordinal: UInt32) -> IntentionIdentity {
    IntentionIdentity(sequence: sequence, operation: operation, path: path + [ordinal])
  }

  /// The plan that emitted this one, or `nil` if a client added it.
  public var parent: IntentionIdentity? {
    path.isEmpty ? nil : IntentionIdentity(sequence: sequence, operation: operation, path: Array(path.dropLast()))
  }

  /// Orders by addition: earlier transaction, earlier operation, parent before child.
  public static func < (a: Self, b: Self) -> Bool {
    if a.sequence != b.sequence { return a.sequence < b.sequence }
    if a.operation != b.operation { return a.operation < b.operation }
    return a.path.lexicographicallyPrecedes(b.path)
  }

  /// `12.3`, or `12.3.0` for the first plan that `12.3` emitted.
  public var description: String {
    ([String(sequence), String(operation)] + path.map(String.init)).joined(separator: ".")
  }
}

/// The way in which a plan ended.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
  /// The plan was fulfilled.
  case completed
  /// Another plan took the property over.
  case displaced
  /// Its executor could not fulfil it; the failure contains the reason.
  case failed
}
