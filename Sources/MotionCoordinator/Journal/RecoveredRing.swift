import Glibc
import Logging
package import MotionCore
package import MotionModel
import MotionWire

/// What the ring of an earlier start holds: the state of a frame, and everything that was applied after it.
package struct RecoveredRing: Sendable {
  /// The file to continue.
  let number: UInt64
  /// The bytes of the state in it, and of all its whole records.
  let parts: (state: Int, length: Int)
  /// The state that it begins with.
  let beginning: EncodedHeader
  /// The frames after it.
  private(set) var frames: [RecordedFrame] = []
  /// The events after the last frame, as those before a frame that was not run.
  private(set) var trailing: RecordedFrame?
  /// What the journal has besides.
  var recovery: Recovery?
  private var mark: RingFile.Mark
  /// The last transaction that had been applied when everything was stopped last; `nil` if it was not. The journal may lack
  /// the stop, which takes effect on a full disk, too.
  private(set) var stoppedAfter: UInt64?
  /// The transactions that were applied or withdrawn after the mark.
  private var settled: Set<UInt64> = []

  /// Reads the files of a ring, the oldest first; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - epoch: the start that used the journal last, 0 if none did; `nil` if that is not known.
  ///   - boot: the boot of the machine.
  ///   - apart: the contents of the file with the operations of a transaction.
  /// - Throws: ``Unusable``.
  package init?(
    _ bytes: [(number: UInt64, bytes: [UInt8])], ofStart epoch: UInt64?, boot: String,
    apart: (UInt64) -> [UInt8]? = { _ in nil }
  ) throws(Unusable) {
    var files: [(number: UInt64, contents: RingFile.Contents)] = []
    for file in bytes {
      do {
        files.append((file.number, try RingFile.contents(of: file.bytes)))
      } catch {
        // The newest may not be complete; nothing follows it then.
        guard file.number == bytes.last?.number, !files.isEmpty else { throw Unusable("\(error.message)") }
      }
    }
    guard let last = files.lastIndex(where: { $0.contents.lastMark != nil }), let mark = files[last].contents.lastMark
    else { return nil }
    guard mark.boot == boot else { throw Unusable("it is from before the machine was started") }
    let starts = Self.starts(in: files[...last].flatMap(\.contents.records))
    if let epoch, !starts.contains(epoch) {
      let last = epoch == 0 ? "no start has used this journal" : "start \(epoch) was the last to use the journal"
      throw Unusable("start \(mark.epoch) of motiond wrote it, and \(last)")
    }
    (number, beginning) = (files[last].number, files[last].contents.beginning)
    parts = (files[last].contents.state, files[last].contents.length)
    self.mark = mark
    let isAlone = files[last].contents.records.contains {
      if case .mark(let mark) = $0 { mark.isAlone } else { false }
    }
    try collect(files[(isAlone ? last : 0)...last].flatMap(\.contents.records), apart)
  }

  /// The start that wrote the last frame, and those that were to continue the ring after it and ran no frame. Each marks
  /// the ring before the journal has its number.
  private static func starts(in records: [RingFile.Contents.Record]) -> [UInt64] {
    var starts: [UInt64] = []
    var isBeforeFrame = false
    for record in records.reversed() {
      switch record {
      case .mark(let mark):
        starts.append(mark.epoch)
        if isBeforeFrame { return starts }
      case .frame, .apart: isBeforeFrame = true
      }
    }
    return starts
  }

  /// Why a ring is not used.
  package struct Unusable: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }

  private mutating func collect(
    _ records: [RingFile.Contents.Record], _ apart: (UInt64) -> [UInt8]?
  ) throws(Unusable) {
    var without: [UInt64] = []
    let header = beginning.header
    var present = header.snapshot?.frame.number ?? header.checkpoint?.frame.number ?? 0
    var lastApplied = header.snapshot?.checkpoint.lastSequence ?? header.checkpoint?.lastSequence ?? 0
    for record in records {
      switch record {
      case .mark(let mark):
        (self.mark, settled) = (mark, [])
        lastApplied = max(lastApplied, mark.lastSequence)
      case .apart(let sequences): without = sequences
      case .frame(var frame):
        // Those before the snapshot are of no use, and their files may be gone.
        if !without.isEmpty, frame.frame.number > present || frame.frame.number == present && frame.isBetweenFrames {
          try frame.complete(without, from: apart)
        }
        without = []
        for event in frame.betweenFrames + frame.events {
          switch event {
          case .commit(let sequence, _): lastApplied = max(lastApplied, sequence)
          case .stop(let stop) where stop.targets.isEmpty: stoppedAfter = lastApplied
          default: break
          }
        }
        for case .commit(let sequence, _) in frame.betweenFrames + frame.events { settled.insert(sequence) }
        for case .withdraw(let sequences) in frame.betweenFrames + frame.events { settled.formUnion(sequences) }
        if frame.frame.number == present, frame.isBetweenFrames {
          append(between: frame)
        } else if frame.frame.number > present {
          present = frame.frame.number
          append(frame)
        }
      }
    }
  }

  private mutating func append(between events: RecordedFrame) {
    var trailing = trailing ?? RecordedFrame(frame: events.frame, events: [], hash: 0)
    trailing.betweenFrames += events.betweenFrames
    trailing.provenances.merge(events.provenances) { $1 }
    self.trailing = trailing
  }

  private mutating func append(_ frame: RecordedFrame) {
    var frame = frame
    if let trailing {
      frame.betweenFrames = trailing.betweenFrames
      frame.provenances.merge(trailing.provenances) { present, _ in present }
      self.trailing = nil
    }
    frames.append(frame)
  }

  /// Brings a runtime, in which nothing has happened, to the last frame.
  ///
  /// - Throws: ``MotionModel/Refusal``; the runtime is of no use then.
  package func replay(in runtime: Runtime) throws(Refusal) {
    let replayer = try Replayer(beginning.header, in: runtime)
    for frame in frames { _ = try replayer.replay(frame) }
    if let trailing { replayer.applyBetweenFrames(trailing) }
    // It was published before the end.
    _ = runtime.log.take()
  }

  /// Whether a transaction had been accepted and neither applied nor withdrawn.
  func isWaiting(_ sequence: UInt64) -> Bool {
    (sequence > mark.lastSequence || mark.waiting.contains(sequence)) && !settled.contains(sequence)
  }

  /// The last sequence that is known to have been given out.
  var lastSequence: UInt64 { max(mark.lastSequence, settled.max() ?? 0) }
}

extension RecordedFrame {
  /// Takes the operations of these transactions from their files.
  fileprivate mutating func complete(
    _ sequences: [UInt64], from files: (UInt64) -> [UInt8]?
  ) throws(RecoveredRing.Unusable) {
    for sequence in sequences {
      guard let bytes = files(sequence), let transaction = try? RingFile.transaction(in: bytes) else {
        throw RecoveredRing.Unusable("the operations of transaction \(sequence) had not been written")
      }
      let event = RuntimeEvent.commit(sequence: sequence, transaction)
      for index in events.indices where events[index].isCommit(sequence) { events[index] = event }
      for index in betweenFrames.indices where betweenFrames[index].isCommit(sequence) { betweenFrames[index] = event }
    }
  }
}

extension RingFile.Contents {
  /// The last mark; `nil` if nobody has appended to the file.
  fileprivate var lastMark: RingFile.Mark? {
    records.reversed().lazy.compactMap { if case .mark(let mark) = $0 { mark } else { nil } }.first
  }
}

extension RuntimeEvent {
  /// Whether it is the transaction of this sequence.
  fileprivate func isCommit(_ sequence: UInt64) -> Bool {
    if case .commit(sequence, _) = self { true } else { false }
  }
}
