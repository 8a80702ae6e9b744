import MotionWire

/// Chunks of checkpoints: what is in one is still there after it was changed and written.
enum Checkpoints {
  static func run(_ bytes: [UInt8]) throws {
    guard var chunk = CheckpointChunk(bytes) else { return }
    let entries = (0..<CheckpointChunk.places).map { chunk[$0].map(Array.init) }
    try require(entries == Self.entries(of: chunk.bytes), "a chunk is written so that it is read otherwise")
    chunk[CheckpointChunk.places - 1] = [0x1A, 0][...]
    let changed = entries.dropLast() + [[0x1A, 0]]
    try require(Array(changed) == Self.entries(of: chunk.bytes), "one place changes others")
  }

  private static func entries(of bytes: [UInt8]?) -> [[UInt8]?]? {
    guard let bytes else { return (0..<CheckpointChunk.places).map { _ in nil } }
    guard let chunk = CheckpointChunk(bytes) else { return nil }
    return (0..<CheckpointChunk.places).map { chunk[$0].map(Array.init) }
  }
}
