import MotionModel

/// Decodes a commit directly from its bytes, without the generated messages in between.
///
/// Through the generated code, 100,000 operations cost 280 ms of a thread's time. Here they cost 20 ms if all
/// operations have the same content, and 80 ms if each differs (measured on a busy machine, digest included).
///
/// The reader accepts only correct messages in the usual encoding. If a field is wrong, unknown or unusually encoded,
/// or a message is repeated, it throws. The generated code then decodes the same bytes again and reports the error with
/// its place. So errors are produced in one place, and only messages with errors or an unusual encoding cost a second
/// pass.
struct CommitReader {
  /// The limit of the elements of all lists of the message together; see ``Census``.
  private let mostElements: Int
  private var elements = 0
  /// The plan of the previous operation, and its bytes: a transaction often adds the same plan to many targets.
  private var lastBytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var lastElements = 0
  private var lastIntention: Intention?

  /// The commit in `message`, which is part of a message for which `limit` bytes are accepted.
  static func commit(in message: WireReader, limit: Int) throws(WireFault) -> Commit {
    var reader = CommitReader(mostElements: Census.mostElements(of: limit))
    return try reader.commit(message)
  }

  private init(mostElements: Int) { self.mostElements = mostElements }

  private mutating func commit(_ message: WireReader) throws(WireFault) -> Commit {
    var reader = message
    var (high, low, whileConnected): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var at: Double?
    var (comment, client) = ("", "")
    var onBehalfOf: Committer?
    var log: [Transaction.Operation] = []
    // An operation usually has at least about 50 bytes. If operations are smaller, the array grows by doubling, as
    // usual.
    log.reserveCapacity(min(Limits.operationsPerTransaction, reader.count / 48))
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 1: high = try reader.fixed()
      case 2 << 3 | 1: low = try reader.fixed()
      case 3 << 3 | 2:
        try countElement(of: log.count, atMost: Limits.operationsPerTransaction)
        log.append(try operation(reader.message()))
      case 4 << 3 | 1: at = try reader.finite()
      case 5 << 3: whileConnected = try reader.number()
      case 6 << 3 | 2: comment = try reader.text(atMost: Limits.commentBytes)
      case 7 << 3 | 2: client = try reader.text(atMost: Limits.clientNameBytes)
      case 8 << 3 | 2 where onBehalfOf == nil: onBehalfOf = try Self.committer(reader.message())
      default: throw .unusual
      }
    }
    let id = TransactionID(high: high, low: low)
    guard !id.isZero else { throw .unusual }
    var commit = Commit(Transaction(log: log), id: id, at: at, whileConnected: whileConnected != 0, comment: comment)
    commit.client = client
    commit.onBehalfOf = onBehalfOf
    return commit
  }

  private mutating func operation(_ message: WireReader) throws(WireFault) -> Transaction.Operation {
    var reader = message
    let operation: Transaction.Operation =
      switch try reader.tag() {
      case 1 << 3 | 2: try addition(reader.message())
      case 2 << 3 | 2: try Self.removal(reader.message())
      case 3 << 3 | 2: .forget(try reader.name())
      case 4 << 3 | 2: try Self.planRemoval(reader.message())
      case 5 << 3 | 2: try Self.limit(reader.message())
      default: throw .unusual
      }
    guard reader.isAtEnd else { throw .unusual }
    return operation
  }

  private mutating func addition(_ message: WireReader) throws(WireFault) -> Transaction.Operation {
    var reader = message
    var plan: Intention?
    var target: TargetName?
    var name: IntentionName?
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2 where plan == nil: plan = try intention(reader.bytes())
      case 2 << 3 | 2: target = try reader.name()
      case 3 << 3 | 2: name = try reader.name()
      default: throw .unusual
      }
    }
    guard let plan, let target else { throw .unusual }
    return .add(plan, named: name, to: target)
  }

  private static func removal(_ message: WireReader) throws(WireFault) -> Transaction.Operation {
    var reader = message
    var target: TargetName?
    var name: IntentionName?
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2: name = try reader.name()
      case 2 << 3 | 2: target = try reader.name()
      default: throw .unusual
      }
    }
    guard let target, let name else { throw .unusual }
    return .remove(named: name, from: target)
  }

  /// Counts an element of a list that has `count` elements.
  private mutating func countElement(of count: Int, atMost limit: Int) throws(WireFault) {
    guard count < limit else { throw .unusual }
    try countElements(1)
  }

  private mutating func countElements(_ more: Int) throws(WireFault) {
    elements += more
    guard elements <= mostElements else { throw .unusual }
  }
}

// MARK: - Plans

extension CommitReader {
  /// Decodes a plan. A plan with the same bytes as the previous one is that plan again, and shares its memory.
  private mutating func intention(_ bytes: UnsafeBufferPointer<UInt8>) throws(WireFault) -> Intention {
    if let lastIntention, bytes.elementsEqual(lastBytes) {
      try countElements(lastElements)
      return lastIntention
    }
    let before = elements
    let intention = try readIntention(WireReader(UnsafeRawBufferPointer(bytes)))
    (lastBytes, lastElements, lastIntention) = (bytes, elements - before, intention)
    return intention
  }

  private mutating func readIntention(_ message: WireReader) throws(WireFault) -> Intention {
    var reader = message
    var type: IntentionType?
    var fields: [Intention.Field] = []
    var priority: Int32 = 0
    var after = 0.0
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 3 << 3: priority = try reader.signed()
      case 4 << 3 | 1: after = try reader.finite()
      case 1 << 3 | 2: type = try reader.name()
      case 2 << 3 | 2:
        try countElement(of: fields.count, atMost: Limits.fieldsPerIntention)
        let field = try field(reader.message())
        guard !fields.contains(where: { $0.name == field.name }) else { throw .unusual }
        fields.append(field)
      default: throw .unusual
      }
    }
    guard let type else { throw .unusual }
    return Intention(type, fields, priority: priority, after: after)
  }

  private mutating func field(_ message: WireReader) throws(WireFault) -> Intention.Field {
    var reader = message
    var name = ""
    var value: FieldValue?
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2: name = try reader.text(atMost: Limits.typeNameBytes)
      case 2 << 3 | 2 where value == nil: value = try self.value(reader.message(), depth: 0)
      default: throw .unusual
      }
    }
    guard !name.isEmpty, let value else { throw .unusual }
    return Intention.Field(name, value)
  }

  /// The value of a field, which lies inside `depth` lists.
  private mutating func value(_ message: WireReader, depth: Int) throws(WireFault) -> FieldValue {
    var reader = message
    let value: FieldValue =
      switch try reader.tag() {
      case 1 << 3 | 1: .number(try reader.finite())
      case 2 << 3 | 2: .vector(try Self.vector(reader.message()))
      case 3 << 3 | 2: .text(try reader.text(atMost: Limits.textBytes))
      case 4 << 3: .flag(try reader.number() != 0)
      case 5 << 3 | 2: .duration(try Self.duration(reader.message()))
      case 6 << 3 | 2: .property(try reader.name())
      case 7 << 3 | 2: .choice(try reader.text(atMost: Limits.textBytes))
      case 8 << 3 | 2: .list(try list(reader.message(), depth: depth))
      case 9 << 3 | 2: .reference(try Self.reference(reader.message()))
      default: throw .unusual
      }
    guard reader.isAtEnd else { throw .unusual }
    return value
  }

  private static func vector(_ message: WireReader) throws(WireFault) -> Lanes {
    var reader = message
    guard try reader.tag() == 1 << 3 | 2 else { throw .unusual }
    var packed = try reader.message()
    let count = packed.count / 8
    guard reader.isAtEnd, packed.count % 8 == 0, (2...Limits.lanes).contains(count) else { throw .unusual }
    return try packed.lanes(count)
  }

  private mutating func list(_ message: WireReader, depth: Int) throws(WireFault) -> [FieldValue] {
    var reader = message
    guard depth < Limits.nesting else { throw .unusual }
    var values: [FieldValue] = []
    while !reader.isAtEnd {
      guard try reader.tag() == 1 << 3 | 2 else { throw .unusual }
      try countElement(of: values.count, atMost: Limits.listElements)
      values.append(try value(reader.message(), depth: depth + 1))
    }
    return values
  }

  private static func reference(_ message: WireReader) throws(WireFault) -> PropertyReference {
    var reader = message
    var target: TargetName?
    var property: PropertyName?
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2: target = try reader.name()
      case 2 << 3 | 2: property = try reader.name()
      default: throw .unusual
      }
    }
    guard let target, let property else { throw .unusual }
    return PropertyReference(target, property)
  }

  /// A duration. The generated message checks it, because durations have a rule of their own.
  private static func duration(_ message: WireReader) throws(WireFault) -> Duration {
    var reader = message
    var duration = ProtoDuration()
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3: duration.nanoseconds = Int64(bitPattern: try reader.number())
      case 2 << 3: duration.attoseconds = Int64(bitPattern: try reader.number())
      default: throw .unusual
      }
    }
    guard let checked = try? duration.model() else { throw .unusual }
    return checked
  }
}
