import MotionJournal
import Testing

/// The contract of every kind of journal.
struct JournalContractTests {
  @Test(arguments: BackendKind.allCases)
  func aNewJournalIsEmpty(kind: BackendKind) throws {
    let journal = try kind.make().open()
    defer { journal.close() }
    #expect(try journal.contents() == JournalContents())
  }

  @Test(arguments: BackendKind.allCases)
  func `rows are there after the journal is opened again`(kind: BackendKind) throws {
    let backend = try kind.make()
    let first = try backend.open()
    try first.append(JournalRow.samples(1...3))
    try first.append([])
    try first.append(JournalRow.samples(4...4))
    first.close()

    let second = try backend.open()
    defer { second.close() }
    let rows = JournalRow.samples(1...4)
    #expect(try second.contents() == JournalContents(rows: rows, identities: rows.identities))
    try second.append(JournalRow.samples(5...7))
    #expect(try second.contents().rows == JournalRow.samples(1...7))
  }

  @Test(arguments: BackendKind.allCases)
  func `a checkpoint replaces its rows`(kind: BackendKind) throws {
    let backend = try kind.make()
    let first = try backend.open()
    try first.append(JournalRow.samples(1...10))
    try first.checkpoint(.sample(4))
    try first.checkpoint(.sample(8))
    try first.append(JournalRow.samples(11...12))
    let expected = JournalContents(
      checkpoint: .sample(8), rows: JournalRow.samples(9...12), identities: JournalRow.samples(1...12).identities)
    #expect(try first.contents() == expected)
    while try first.tidy() {}
    #expect(try first.contents() == expected)
    first.close()

    let second = try backend.open()
    defer { second.close() }
    #expect(try second.contents() == expected)
  }

  @Test(arguments: BackendKind.allCases)
  func `a checkpoint consists of its parts in order`(kind: BackendKind) throws {
    let backend = try kind.make()
    let first = try backend.open()
    try first.append(JournalRow.samples(1...10))
    func update(_ sequence: UInt64, _ parts: [(UInt64, [UInt8])], removed: [UInt64] = [], isWhole: Bool = false) throws
    {
      let parts = parts.map { CheckpointPart(number: $0, body: $1) }
      let update = CheckpointUpdate(sequence: sequence, isWhole: isWhole, parts: parts, removed: removed)
      let bytes = try first.checkpoint(update)
      #expect(bytes == (try first.contents().checkpoint?.body.count))
    }
    func body() throws -> [UInt8]? { try first.contents().checkpoint?.body }
    try update(2, [(1 << 56, [4, 5]), (3, [1]), (7, [2, 3])])
    #expect(try body() == [1, 2, 3, 4, 5])
    // An unchanged part, a changed one, a new one, a removed one, and the removal of one that does not exist.
    try update(4, [(3, [1]), (7, [20]), (8, [])], removed: [1 << 56, 99])
    #expect(try body() == [1, 20])
    #expect(try (first.part(7), first.part(8), first.part(99)) == ([20], [], nil) as ([UInt8]?, [UInt8]?, [UInt8]?))
    try update(6, [])
    #expect(try body() == [1, 20])
    first.close()

    let second = try backend.open()
    defer { second.close() }
    #expect(try second.contents().checkpoint == JournalCheckpoint(sequence: 6, body: [1, 20]))
    try second.checkpoint(CheckpointUpdate(sequence: 8, isWhole: false, parts: [CheckpointPart(number: 5, body: [9])]))
    #expect(try second.contents().checkpoint?.body == [1, 9, 20])
    try second.checkpoint(CheckpointUpdate(sequence: 9, isWhole: true, parts: [CheckpointPart(number: 5, body: [8])]))
    #expect(try second.contents().checkpoint?.body == [8])
  }

  @Test(arguments: BackendKind.allCases)
  func `a checkpoint may cover all rows or none`(kind: BackendKind) throws {
    let backend = try kind.make()
    let first = try backend.open()
    try first.checkpoint(JournalCheckpoint(sequence: 0, body: []))
    #expect(try first.contents().checkpoint == JournalCheckpoint(sequence: 0, body: []))
    try first.append(JournalRow.samples(1...5))
    try first.checkpoint(.sample(5))
    while try first.tidy() {}
    first.close()

    let second = try backend.open()
    defer { second.close() }
    let contents = try second.contents()
    #expect(contents.checkpoint == .sample(5))
    #expect(contents.rows == [])
    #expect(contents.lastSequence == 5)
    try second.append(JournalRow.samples(6...6))
    #expect(try second.contents().rows == JournalRow.samples(6...6))
  }

  // Clauses: S17.34
  @Test(arguments: BackendKind.allCases)
  func aCheckpointThatFailsItsCheckIsRolledBack(kind: BackendKind) throws {
    let backend = try kind.make()
    let journal = try backend.open()
    try journal.append(JournalRow.samples(1...4))
    try journal.checkpoint(
      CheckpointUpdate(
        sequence: 2, isWhole: true,
        parts: [CheckpointPart(number: 1, body: [1]), CheckpointPart(number: 2, body: [2])]))
    let before = try journal.contents()
    let update = CheckpointUpdate(
      sequence: 4, isWhole: false,
      parts: [CheckpointPart(number: 1, body: [1]), CheckpointPart(number: 3, body: [3, 3])], removed: [2])
    let error = #expect(throws: JournalError.self) {
      try journal.checkpoint(update) { stored in
        // Only changed parts are read back, with the content that the transaction will have written.
        #expect(stored.changed == [3])
        #expect(try stored.body(of: 3) == [3, 3])
        #expect(try stored.body(of: 2) == nil)
        #expect(try stored.whole() == [1, 3, 3])
        throw JournalError(.unreadable, at: "part 3", "a start could not read it", remedy: "Report it")
      }
    }
    #expect(error?.code == .unreadable)
    #expect(try journal.contents() == before)
    #expect(try journal.part(2) == [2])
    // The journal continues as if nothing had happened.
    try journal.append(JournalRow.samples(5...5))
    #expect(try journal.checkpoint(update) == 3)
    journal.close()
    let again = try backend.open()
    #expect(try again.contents().checkpoint == JournalCheckpoint(sequence: 4, body: [1, 3, 3]))
    again.close()
  }

  // Clauses: S17.24
  @Test(arguments: BackendKind.allCases)
  func `identities are removed after a day`(kind: BackendKind) throws {
    let backend = try kind.make()
    let journal = try backend.open()
    defer { journal.close() }
    let day = JournalLimits.identityNanoseconds
    let rows = [0, 1, day / 2, day, day + 1].enumerated().map { index, time in
      JournalRow(sequence: UInt64(index) + 1, wallTime: time, identity: [UInt8(index)], body: [1])
    }
    try journal.append(rows)
    try journal.checkpoint(.sample(5))
    while try journal.tidy() {}
    #expect(try journal.contents().identities == rows[1...].identities)
  }

  // Clauses: S17.24
  @Test(arguments: BackendKind.allCases)
  func noMoreThanAHundredThousandIdentitiesAreKept(kind: BackendKind) throws {
    let backend = try kind.make()
    let journal = try backend.open()
    defer { journal.close() }
    let count = UInt64(JournalLimits.identities)
    let rows = (1...(count + 10)).map {
      JournalRow(sequence: $0, wallTime: Int64($0), identity: withUnsafeBytes(of: $0.bigEndian, Array.init), body: [])
    }
    try journal.append(rows)
    try journal.checkpoint(.sample(count + 10))
    while try journal.tidy() {}
    #expect(try journal.contents().identities == rows[10...].identities)
  }

  // Clauses: S17.26
  @Test(arguments: BackendKind.allCases)
  func `only one program can open a journal at a time`(kind: BackendKind) throws {
    let backend = try kind.make()
    let first = try backend.open()
    let error = #expect(throws: JournalError.self) { try backend.open() }
    #expect(error?.code == .locked)
    first.close()
    first.close()
    try backend.open().close()
  }

  @Test(arguments: BackendKind.allCases)
  func `a closed journal refuses reads and writes`(kind: BackendKind) throws {
    let journal = try kind.make().open()
    journal.close()
    #expect(throws: JournalError.self) { try journal.contents() }
    #expect(throws: JournalError.self) { try journal.checkpoint(.sample(0)) }
    let error = #expect(throws: JournalError.self) { try journal.append([.sample(1)]) }
    #expect(error?.code == .closed)
  }

  @Test(arguments: BackendKind.allCases)
  func `a row that is too large is refused with its group`(kind: BackendKind) throws {
    let backend = try kind.make()
    let journal = try backend.open()
    defer { journal.close() }
    var large = JournalRow.sample(2)
    large.body = [UInt8](repeating: 1, count: JournalLimits.bodyBytes + 1)
    let error = #expect(throws: JournalError.self) { try journal.append([.sample(1), large]) }
    #expect(error?.code == .tooLarge)
    #expect(error?.place.contains("row 2") == true)
    large = .sample(1)
    large.answer = [UInt8](repeating: 1, count: JournalLimits.identityBytes + 1)
    #expect(throws: JournalError.self) { try journal.append([large]) }
    #expect(try journal.contents() == JournalContents())
    try journal.append([.sample(1)])
    withExtendedLifetime(backend) {}
  }
}
