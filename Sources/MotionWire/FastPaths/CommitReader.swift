import MotionModel

/// Decodes a commit directly from its bytes, without the generated messages in between.
///
/// Through the generated code, 100,000 operations cost 280 ms of a thread's time. Here they cost 20 ms if all
/// operations have the same content, and 80 ms if each differs (measured on a busy machine, digest included).
///
/// The reader accepts only correct messages in the usual encoding. If a field is wrong, unknown or unusually encoded,
/// or a message or name is repeated, there is no result. The generated code then decodes the same bytes again and
/// reports the error with its place. So errors are produced in one place, and only messages with errors or an unusual
/// encoding cost a second pass.
struct CommitReader {
  /// The limit of the elements of all lists of the message together; see ``Census``.
  private let mostElements: Int
  private var elements = 0
  /// The plan of the previous operation, and its bytes: a transaction often adds the same plan to many targets.
  private var lastBytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var lastElements = 0
  private var lastIntention: Intention?

  /// The envelope of a commit, and the range of the commit in the bytes; `nil` if the generated code has to decode
  /// them.
  static func read(_ bytes: UnsafeRawBufferPointer, limit: Int) -> (envelope: Envelope, commit: Range<Int>)? {
    var reader = CommitReader(mostElements: Census.mostElements(of: limit))
    return bytes.withMemoryRebound(to: UInt8.self) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return reader.envelope(WireCursor(start, count: bytes.count))
    }
  }

  private init(mostElements: Int) { self.mostElements = mostElements }

  private mutating func envelope(_ cursor: WireCursor) -> (envelope: Envelope, commit: Range<Int>)? {
    var cursor = cursor
    let count = cursor.count
    var place = 0..<0
    var (version, epoch, incarnation, sequence, replyTo, sent): (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    (version, epoch, incarnation, sequence, replyTo, sent) = (0, 0, 0, 0, 0, 0)
    var body: WireCursor?
    var fields = 0
    while !cursor.isAtEnd {
      fields += 1
      guard fields <= EnvelopeHeader.mostFields else { return nil }
      switch cursor.tag() {
      case 1 << 3: guard cursor.take(&version) else { return nil }
      case 2 << 3: guard cursor.take(&epoch) else { return nil }
      case 3 << 3 | 1: guard cursor.takeFixed(&incarnation) else { return nil }
      case 4 << 3: guard cursor.take(&sequence) else { return nil }
      case 5 << 3: guard cursor.take(&replyTo) else { return nil }
      case 6 << 3 | 1: guard cursor.takeFixed(&sent) else { return nil }
      case 11 << 3 | 2:
        guard body == nil, let message = cursor.message() else { return nil }
        body = message
        place = count - cursor.count - message.count..<count - cursor.count
      default: return nil
      }
    }
    guard let body, let spoken = Int(exactly: version), ProtocolVersion.messages.contains(spoken),
      let commit = commit(body)
    else { return nil }
    let envelope = Envelope(
      epoch: epoch, incarnation: incarnation, sequence: sequence, replyTo: replyTo, sent: sent, .commit(commit))
    return (envelope, place)
  }

  private mutating func commit(_ cursor: WireCursor) -> Commit? {
    var cursor = cursor
    var (high, low, whileConnected): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var at: Double?
    var (comment, client) = ("", "")
    var onBehalfOf: Committer?
    var log: [Transaction.Operation] = []
    // An operation usually has at least about 50 bytes. If operations are smaller, the array grows by doubling, as
    // usual.
    log.reserveCapacity(min(Limits.operationsPerTransaction, cursor.count / 48))
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 1: guard cursor.takeFixed(&high) else { return nil }
      case 2 << 3 | 1: guard cursor.takeFixed(&low) else { return nil }
      case 3 << 3 | 2:
        guard let message = cursor.message(), count(1), log.count < Limits.operationsPerTransaction,
          let operation = operation(message)
        else { return nil }
        log.append(operation)
      case 4 << 3 | 1:
        guard let time = cursor.finite() else { return nil }
        at = time
      case 5 << 3: guard cursor.take(&whileConnected) else { return nil }
      case 6 << 3 | 2:
        guard let text = cursor.text(atMost: Limits.commentBytes) else { return nil }
        comment = text
      case 7 << 3 | 2:
        guard let text = cursor.text(atMost: Limits.clientNameBytes) else { return nil }
        client = text
      case 8 << 3 | 2:
        guard onBehalfOf == nil, let message = cursor.message(), let read = Self.committer(message) else { return nil }
        onBehalfOf = read
      default: return nil
      }
    }
    let id = TransactionID(high: high, low: low)
    guard !id.isZero else { return nil }
    var commit = Commit(Transaction(log: log), id: id, at: at, whileConnected: whileConnected != 0, comment: comment)
    commit.client = client
    commit.onBehalfOf = onBehalfOf
    return commit
  }

  private mutating func operation(_ cursor: WireCursor) -> Transaction.Operation? {
    var cursor = cursor
    let operation: Transaction.Operation?
    switch cursor.tag() {
    case 1 << 3 | 2: operation = cursor.message().flatMap { addition($0) }
    case 2 << 3 | 2: operation = cursor.message().flatMap(Self.removal)
    case 3 << 3 | 2: operation = cursor.name().map { .forget($0) }
    case 4 << 3 | 2: operation = cursor.message().flatMap(Self.planRemoval)
    default: return nil
    }
    return cursor.isAtEnd ? operation : nil
  }

  private mutating func addition(_ cursor: WireCursor) -> Transaction.Operation? {
    var cursor = cursor
    var plan: Intention?
    var target: TargetName?
    var name: IntentionName?
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 2:
        guard plan == nil, let bytes = cursor.bytes(), let read = intention(bytes) else { return nil }
        plan = read
      case 2 << 3 | 2:
        guard target == nil, let read: TargetName = cursor.name() else { return nil }
        target = read
      case 3 << 3 | 2:
        guard name == nil, let read: IntentionName = cursor.name() else { return nil }
        name = read
      default: return nil
      }
    }
    guard let plan, let target else { return nil }
    return .add(plan, named: name, to: target)
  }

  private static func removal(_ cursor: WireCursor) -> Transaction.Operation? {
    var cursor = cursor
    var target: TargetName?
    var name: IntentionName?
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 2:
        guard name == nil, let read: IntentionName = cursor.name() else { return nil }
        name = read
      case 2 << 3 | 2:
        guard target == nil, let read: TargetName = cursor.name() else { return nil }
        target = read
      default: return nil
      }
    }
    guard let target, let name else { return nil }
    return .remove(named: name, from: target)
  }

  /// Counts list elements where they are encountered. Returns whether the total is within the limit.
  private mutating func count(_ more: Int) -> Bool {
    elements += more
    return elements <= mostElements
  }
}

// MARK: - Plans

extension CommitReader {
  /// Decodes a plan. A plan with the same bytes as the previous one is that plan again, and shares its memory.
  private mutating func intention(_ bytes: UnsafeBufferPointer<UInt8>) -> Intention? {
    if let lastIntention, bytes.elementsEqual(lastBytes) { return count(lastElements) ? lastIntention : nil }
    guard let start = bytes.baseAddress else { return nil }
    let before = elements
    guard let intention = readIntention(WireCursor(start, count: bytes.count)) else { return nil }
    (lastBytes, lastElements, lastIntention) = (bytes, elements - before, intention)
    return intention
  }

  private mutating func readIntention(_ cursor: WireCursor) -> Intention? {
    var cursor = cursor
    var type: IntentionType?
    var fields: [Intention.Field] = []
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 2:
        guard type == nil, let read: IntentionType = cursor.name() else { return nil }
        type = read
      case 2 << 3 | 2:
        guard let message = cursor.message(), count(1), fields.count < Limits.fieldsPerIntention,
          let field = field(message), !fields.contains(where: { $0.name == field.name })
        else { return nil }
        fields.append(field)
      default: return nil
      }
    }
    return type.map { Intention($0, fields) }
  }

  private mutating func field(_ cursor: WireCursor) -> Intention.Field? {
    var cursor = cursor
    var name: String?
    var value: FieldValue?
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 2:
        guard name == nil, let read = cursor.text(atMost: Limits.typeNameBytes), !read.isEmpty else { return nil }
        name = read
      case 2 << 3 | 2:
        guard value == nil, let message = cursor.message(), let read = self.value(message, depth: 0) else { return nil }
        value = read
      default: return nil
      }
    }
    guard let name, let value else { return nil }
    return Intention.Field(name, value)
  }

  /// The value of a field, which lies inside `depth` lists.
  private mutating func value(_ cursor: WireCursor, depth: Int) -> FieldValue? {
    var cursor = cursor
    let value: FieldValue?
    switch cursor.tag() {
    case 1 << 3 | 1: value = cursor.finite().map { .number($0) }
    case 2 << 3 | 2: value = cursor.message().flatMap(Self.vector)
    case 3 << 3 | 2: value = cursor.text(atMost: Limits.textBytes).map { .text($0) }
    case 4 << 3: value = cursor.number().map { .flag($0 != 0) }
    case 5 << 3 | 2: value = cursor.message().flatMap(Self.duration)
    case 6 << 3 | 2: value = cursor.name().map { .property($0) }
    case 7 << 3 | 2: value = cursor.text(atMost: Limits.textBytes).map { .choice($0) }
    case 8 << 3 | 2: value = cursor.message().flatMap { list($0, depth: depth) }
    case 9 << 3 | 2: value = cursor.message().flatMap(Self.reference)
    default: return nil
    }
    return cursor.isAtEnd ? value : nil
  }

  private static func vector(_ cursor: WireCursor) -> FieldValue? {
    var cursor = cursor
    guard cursor.tag() == 1 << 3 | 2, var packed = cursor.message(), cursor.isAtEnd, packed.count % 8 == 0,
      (2...Limits.lanes).contains(packed.count / 8)
    else { return nil }
    let count = packed.count / 8
    var lanes = SIMD4<Double>.zero
    for lane in 0..<count {
      guard let number = packed.finite() else { return nil }
      lanes[lane] = number
    }
    return .vector(Lanes(lanes, count: count))
  }

  private mutating func list(_ cursor: WireCursor, depth: Int) -> FieldValue? {
    var cursor = cursor
    guard depth < Limits.nesting else { return nil }
    var values: [FieldValue] = []
    while !cursor.isAtEnd {
      guard cursor.tag() == 1 << 3 | 2, let message = cursor.message(), count(1), values.count < Limits.listElements,
        let value = value(message, depth: depth + 1)
      else { return nil }
      values.append(value)
    }
    return .list(values)
  }

  private static func reference(_ cursor: WireCursor) -> FieldValue? {
    var cursor = cursor
    var target: TargetName?
    var property: PropertyName?
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3 | 2:
        guard target == nil, let read: TargetName = cursor.name() else { return nil }
        target = read
      case 2 << 3 | 2:
        guard property == nil, let read: PropertyName = cursor.name() else { return nil }
        property = read
      default: return nil
      }
    }
    guard let target, let property else { return nil }
    return .reference(PropertyReference(target, property))
  }
}

extension WireCursor {
  /// Reads a number into `place`. If the field is repeated, the last number counts, as in protobuf.
  mutating func take(_ place: inout UInt64) -> Bool {
    guard let number = number() else { return false }
    place = number
    return true
  }

  fileprivate mutating func takeFixed(_ place: inout UInt64) -> Bool {
    guard let number = fixed() else { return false }
    place = number
    return true
  }
}

extension CommitReader {
  /// A duration. The generated message checks it, because durations have a rule of their own.
  private static func duration(_ cursor: WireCursor) -> FieldValue? {
    var cursor = cursor
    var (nanoseconds, attoseconds): (UInt64, UInt64) = (0, 0)
    while !cursor.isAtEnd {
      switch cursor.tag() {
      case 1 << 3: guard cursor.take(&nanoseconds) else { return nil }
      case 2 << 3: guard cursor.take(&attoseconds) else { return nil }
      default: return nil
      }
    }
    var duration = ProtoDuration()
    duration.nanoseconds = Int64(bitPattern: nanoseconds)
    duration.attoseconds = Int64(bitPattern: attoseconds)
    return (try? duration.model()).map { .duration($0) }
  }
}
