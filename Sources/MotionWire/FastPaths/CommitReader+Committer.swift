import MotionModel

extension CommitReader {
  /// The client for which a gateway commits.
  static func committer(_ cursor: WireCursor) -> Committer? {
    var cursor = cursor
    var committer = Committer()
    var number: UInt64 = 0
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 2:
        guard let text = cursor.text(atMost: Limits.clientNameBytes) else { return nil }
        committer.name = text
      case 2 << 3:
        guard cursor.take(&number), let user = UInt32(exactly: number) else { return nil }
        committer.user = user
      case 3 << 3:
        // The encoding of a negative number has its sign in all 64 bits.
        guard cursor.take(&number), let process = Int32(exactly: Int64(bitPattern: number)) else { return nil }
        committer.process = process
      case 4 << 3 | 2:
        guard let text = cursor.text(atMost: Limits.clientNameBytes) else { return nil }
        committer.key = text
      default: return nil
      }
    }
    return committer
  }

  /// The removal of a plan by its identity.
  static func planRemoval(_ cursor: WireCursor) -> Transaction.Operation? {
    var cursor = cursor
    var identity: IntentionIdentity?
    var target: TargetName?
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 2:
        guard identity == nil, let message = cursor.message(), let read = Self.identity(message) else { return nil }
        identity = read
      case 2 << 3 | 2:
        guard target == nil, let read: TargetName = cursor.name() else { return nil }
        target = read
      default: return nil
      }
    }
    guard let identity, let target else { return nil }
    return .removePlan(identity, from: target)
  }

  private static func identity(_ cursor: WireCursor) -> IntentionIdentity? {
    var cursor = cursor
    var (sequence, operation, ordinal): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var path: [UInt32] = []
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3: guard cursor.take(&sequence) else { return nil }
      case 2 << 3: guard cursor.take(&operation) else { return nil }
      case 3 << 3 | 2:
        guard path.isEmpty, var packed = cursor.message() else { return nil }
        while !packed.isAtEnd {
          guard path.count < Limits.emissionDepth, packed.take(&ordinal), let number = UInt32(exactly: ordinal) else {
            return nil
          }
          path.append(number)
        }
      default: return nil
      }
    }
    return UInt32(exactly: operation).map { IntentionIdentity(sequence: sequence, operation: $0, path: path) }
  }
}
