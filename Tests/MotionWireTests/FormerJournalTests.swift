import MotionModel
import Testing

@testable import MotionWire

/// Bytes that the version before provenance wrote: such a journal opens as before.
@Suite struct FormerJournalTests {
  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap { offset in
      let start = hex.index(hex.startIndex, offsetBy: offset)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
  }

  private static let row = """
    0a14080c11574a1bb479e90b4019111111111111913f1124111cc2f15b1a401a660803125909daf45af1d3201c63118e32ff3c2b98d97c\
    1a450a430a3b0a0e416e63686f726564537072696e67120f0a0870726f7065727479120332017812180a0b64657374696e6174696f6e12\
    0909000000000000f03f12046c6174651931f85c046a0e38a2
    """

  private static let checkpoint = """
    0a14080c11574a1bb479e90b4019111111111111913f121209d9ef8104626d104011000000000000f03f1802\
    52020100220f0a0462616c6c12070a017810011800\
    520201002a5a0a020801120462616c6c1a04686f6d65223b0a0e416e63686f726564537072696e67120f0a0870726f7065727479120332\
    017812180a0b64657374696e6174696f6e120909000000000000f03f2a0b080111bfb0811ae04f0a40\
    32520900000000006af84010021a450a430a3b0a0e416e63686f726564537072696e67120f0a0870726f7065727479120332017812180a\
    0b64657374696e6174696f6e120909000000000000f03f12046c616d70\
    4208000000000000f03f4a080000000000000000
    """

  // Clauses: S17.35
  @Test func `a row without provenance is decoded`() throws {
    let entry = try JournalCoding.entry(in: Self.bytes(Self.row))
    #expect(entry.provenance == nil)
    guard case .commit(3, let commit, _) = entry.event else {
      Issue.record("\(entry.event)")
      return
    }
    #expect(commit.transaction.targets == ["late"])
    #expect(commit.comment.isEmpty && commit.client.isEmpty && commit.onBehalfOf == nil)
    // Ids that were committed before the update are recognised after it.
    #expect(commit.digest.description == "07596270a521d9c4214ee7fd9fe496a9")
  }

  // Clauses: S17.35
  @Test func `a checkpoint without provenance is decoded`() throws {
    let checkpoint = try JournalCoding.checkpoint(in: Self.bytes(Self.checkpoint))
    #expect(checkpoint.plans.map(\.target) == ["ball"] && checkpoint.plans.allSatisfy { $0.provenance == nil })
    #expect(checkpoint.waiting.map(\.sequence) == [2] && checkpoint.waiting.allSatisfy { $0.provenance == nil })
  }
}
