import MotionModel

extension CommitReader {
  /// The client for which a gateway commits.
  static func committer(_ message: WireReader) throws(WireFault) -> Committer {
    var reader = message
    var committer = Committer()
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2: committer.name = try reader.text(atMost: Limits.clientNameBytes)
      case 2 << 3: committer.user = try reader.short()
      case 3 << 3:
        // The encoding of a negative number has its sign in all 64 bits.
        guard let process = Int32(exactly: Int64(bitPattern: try reader.number())) else { throw .unusual }
        committer.process = process
      case 4 << 3 | 2: committer.key = try reader.text(atMost: Limits.clientNameBytes)
      default: throw .unusual
      }
    }
    return committer
  }

  /// The removal of a plan by its identity.
  static func planRemoval(_ message: WireReader) throws(WireFault) -> Transaction.Operation {
    var reader = message
    var identity: IntentionIdentity?
    var target: TargetName?
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2 where identity == nil: identity = try Self.identity(reader.message())
      case 2 << 3 | 2: target = try reader.name()
      default: throw .unusual
      }
    }
    guard let identity, let target else { throw .unusual }
    return .removePlan(identity, from: target)
  }

  private static func identity(_ message: WireReader) throws(WireFault) -> IntentionIdentity {
    var reader = message
    var (sequence, operation) = (UInt64(0), UInt32(0))
    var path: [UInt32] = []
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3: sequence = try reader.number()
      case 2 << 3: operation = try reader.short()
      case 3 << 3 | 2:
        var packed = try reader.message()
        while !packed.isAtEnd {
          guard path.count < Limits.emissionDepth else { throw .unusual }
          path.append(try packed.short())
        }
      default: throw .unusual
      }
    }
    return IntentionIdentity(sequence: sequence, operation: operation, path: path)
  }
}
