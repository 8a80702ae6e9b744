import MotionCoordinator
import MotionCore
import MotionJournal
import MotionModel
import MotionWire

/// The file from which a start continues the last frame: whatever is in it, a runtime goes on, or the start does without.
enum Rings {
  static func run(_ bytes: [UInt8]) throws {
    let contents: RingFile.Contents
    do throws(WireError) { contents = try RingFile.contents(of: bytes) } catch { return try Told.check(error) }
    let boot = contents.records.reversed().lazy.compactMap { if case .mark(let mark) = $0 { mark.boot } else { nil } }
      .first
    let runtime: Runtime
    do {
      guard let boot, let ring = try RecoveredRing([(number: 1, bytes: bytes)], ofStart: nil, boot: boot) else {
        return
      }
      let header = contents.beginning.header
      runtime = try Replayer(RecordingHeader(ratePerSecond: header.ratePerSecond, plugins: header.plugins)).runtime
      try ring.replay(in: runtime)
      let recovery = try Recovery(JournalContents(), after: ring, in: runtime)
      for event in runtime.lossesOfStart { runtime.applyNow(event) }
      runtime.resume(with: [], lastSequence: recovery.lastSequence)
    } catch let refusal as Refusal {
      return try Told.check(refusal)
    } catch let unusable as RecoveredRing.Unusable {
      return try require(!unusable.description.isEmpty, "a ring is of no use for no reason")
    }
    try World.checkpoint(runtime)
    try World.goOn(runtime)
  }
}
