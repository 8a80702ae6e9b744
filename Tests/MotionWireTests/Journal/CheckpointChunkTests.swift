import MotionTestKit
import Testing

@testable import MotionWire

/// Chunks are read back from a file that may have been damaged in any way.
struct CheckpointChunkTests {
  /// An entry as a checkpoint has it: a field, its length, its bytes.
  private func entry(_ count: Int) -> ArraySlice<UInt8> {
    Raw().bytes(5, (0..<count).map { UInt8(truncatingIfNeeded: $0) }).bytes[...]
  }

  @Test func `entries of a chunk are the same after encoding and decoding`() throws {
    var chunk = CheckpointChunk()
    #expect(chunk.bytes == nil)
    for (place, count) in [(0, 0), (7, 300), (255, 1), (256, 127), (511, 128)] { chunk[place] = entry(count) }
    let bytes = try #require(chunk.bytes)
    var again = try #require(CheckpointChunk(bytes))
    for place in 0..<CheckpointChunk.places { #expect(again[place] == chunk[place]) }
    again[7] = nil
    again[8] = entry(2)
    let more = try #require(again.bytes)
    let third = try #require(CheckpointChunk(more))
    #expect(third[7] == nil && third[8] == entry(2) && third[511] == entry(128))
  }

  @Test func `invalid bytes of a chunk are refused, and nothing traps`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "CheckpointChunkTests"))
    var chunk = CheckpointChunk()
    for place in [3, 200, 511] { chunk[place] = entry(40) }
    let whole = try #require(chunk.bytes)
    for count in 0..<whole.count { #expect(CheckpointChunk(Array(whole.prefix(count))) == nil) }
    #expect(CheckpointChunk(whole + [0]) == nil)
    for _ in 0..<SeededRandom.rounds(20_000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      _ = CheckpointChunk(bytes)
    }
  }
}
