import MotionCore
import MotionModel
import MotionWire

/// Recordings: what was read can be written, and a runtime does it again, whatever workers are said to have said.
enum Recordings {
  static func run(_ bytes: [UInt8]) throws {
    var reader = RecordingReader()
    var replayer: Replayer?
    // In two pieces, as from a disk.
    for piece in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
      reader.append(piece)
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
      try again(RecordingFile.beginning(header), .header(header))
      replayer = try Replayer(header)
    case .frame(let frame):
      let beginning = RecordingFile.beginning(RecordingHeader(ratePerSecond: 120, plugins: []))
      try again(beginning + RecordingFile.chunk(frame), .frame(frame))
      guard let replayer else { return false }
      _ = try replayer.replay(frame)
      try World.check(replayer.runtime)
    }
    return true
  }

  private static func again(_ bytes: [UInt8], _ step: RecordingReader.Step) throws {
    var reader = RecordingReader()
    reader.append(bytes)
    do {
      var last = try reader.next()
      if case .frame = step { last = try reader.next() }
      try require(last == step && reader.end == .complete, "\(step) is written so that it is read as \(last)")
    } catch let error as WireError {
      throw FuzzFinding("\(step) is written so that it is refused: \(error)")
    }
  }
}
