import MotionCore
import MotionModel
import MotionWire

/// Recordings: what was read can be written, and a runtime does it again, whatever workers are said to have said.
enum Recordings {
  static func run(_ bytes: [UInt8]) throws {
    var reader = RecordingReader()
    var replayer: Replayer?
    // In two pieces, as from a disk.
    let pieces: [ArraySlice<UInt8>] = [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2), []]
    for piece in pieces {
      if piece.isEmpty { reader.finish() } else { reader.append(piece) }
      do {
        while try step(&reader, &replayer) {}
      } catch let error as WireError {
        return try Told.check(error)
      } catch let refusal as Refusal {
        return try Told.check(refusal)
      }
    }
    guard let runtime = replayer?.runtime else { return }
    try World.checkpoint(runtime)
    try World.goOn(runtime)
  }

  /// - Returns: whether there may be more.
  private static func step(_ reader: inout RecordingReader, _ replayer: inout Replayer?) throws -> Bool {
    switch try reader.next() {
    case .needsBytes: return false
    case .header(let header):
      try again(header, [])
      replayer = try Replayer(header)
    case .snapshot(let snapshot):
      // A replay may begin there.
      var header = RecordingHeader(ratePerSecond: 120, plugins: [])
      header.snapshot = snapshot
      try again(header, [])
      try World.goOn(try Replayer(header).runtime)
    case .frame(let frame):
      try again(RecordingHeader(ratePerSecond: 120, plugins: []), [frame])
      guard let replayer else { return false }
      _ = try replayer.replay(frame)
      try World.check(replayer.runtime)
    }
    return true
  }

  private static func again(_ header: RecordingHeader, _ frames: [RecordedFrame]) throws {
    var encoder = RecordingEncoder(header, at: 0)
    for frame in frames { encoder.add(frame) }
    encoder.finish()
    var reader = RecordingReader()
    reader.append(encoder.take())
    reader.finish()
    var steps: [RecordingReader.Step] = []
    do {
      while case let step = try reader.next(), step != .needsBytes { steps.append(step) }
    } catch {
      throw FuzzFinding("\(header) and \(frames) are written so that they are refused: \(error)")
    }
    try require(
      steps == [.header(header)] + frames.map { .frame($0) } && reader.end == .complete,
      "\(header) and \(frames) are written so that they are read as \(steps)")
  }
}
