import MotionCore
import MotionDrawing
import MotionFiles
import MotionHistory
import MotionModel

/// What was, from a moment of a recording on, and what would have been.
struct ForkedCourse {
  /// How long the other course is followed after the end of the recording.
  static let longestRest = 60.0

  private let cursor: RecordingCursor
  private let fork: Fork
  /// The frame at which the courses part.
  let start: Frame
  /// The wall time of that frame, if the recording has it.
  private(set) var wallTime: Int64?
  /// The differences of the properties.
  private(set) var comparison = RecordingComparison(.init())
  /// How many frames the other course has.
  private(set) var frames = 0
  /// The frame after which the recording has no more.
  private(set) var end: Frame
  /// Whether everything came to rest in the other course; `nil` if it was not followed that far.
  private(set) var isAtRest: Bool?
  private var was: MotionTracks
  private var wouldBe: MotionTracks

  /// The recording.
  var file: String { cursor.file }
  /// The plans that are held, because their workers do not run here.
  var held: [IntentionRow] { fork.held }
  /// The plans of hands that were down, and have let go.
  var letGo: [IntentionRow] { fork.letGo }
  /// The plans that have failed in the other course, with the reasons.
  var failed: [IntentionRow] { fork.runtime.failures }

  /// Replays a recording up to a frame.
  init(of cursor: RecordingCursor, at number: UInt64, lastSequence: UInt64) throws(Failure) {
    self.cursor = cursor
    while cursor.runtime.frame.number < number, let played = try Self.next(cursor) {
      wallTime = played.recorded.clocks?.wallTime
    }
    (start, end) = (cursor.runtime.frame, cursor.runtime.frame)
    fork = Fork(at: cursor.runtime, by: ExecutorRegistry(with: cursor.header.plugins), lastSequence: lastSequence)
    cursor.runtime.log.keeps = .drivers
    _ = cursor.runtime.log.take()
    (was, wouldBe) = (MotionTracks(from: start.time), MotionTracks(from: start.time))
    take(all: cursor.runtime, into: &was)
    take(all: fork.runtime, into: &wouldBe)
  }

  private static func next(_ cursor: RecordingCursor) throws(Failure) -> RecordingCursor.Played? {
    try readingHistory { () throws(HistoryError) in try cursor.next() }
  }

  // MARK: Changes

  /// Leaves out transactions, and commits files.
  func change(without sequences: [UInt64], with files: [String]) throws(Failure) {
    fork.leaveOut(Set(sequences))
    for path in files {
      let bytes = try FileBytes.read(path, limit: Limits.transactionFileBytes)
      let name = path == "-" ? "standard input" : path
      do {
        let file = try TransactionFile(bytes, named: name, catalog: fork.runtime.registry.catalog)
        try fork.commit(file.transaction, at: file.at?.seconds(from: start.time))
      } catch let refusal as Refusal {
        throw Failure(
          .refused, TransactionFile.error(for: refusal, in: bytes, named: name)?.description ?? "\(name): \(refusal)")
      } catch {
        throw Failure(.usage, "\(error)")
      }
    }
  }

  // MARK: Frames

  /// Follows both courses.
  ///
  /// - Parameter length: how many seconds; `nil` until the end of the recording, and until everything is at rest.
  mutating func run(until length: Double?) throws(Failure) {
    let last = length.map { start.time + $0 } ?? .infinity
    while cursor.runtime.frame.time < last, let played = try Self.next(cursor) {
      fork.follow(played.recorded)
      take(changesOf: cursor.runtime, into: &was)
      take(changesOf: fork.runtime, into: &wouldBe)
      comparison.compare(cursor.runtime, fork.runtime, changed: (true, true))
      frames += 1
      end = played.recorded.frame
    }
    let rest = min(last - fork.runtime.frame.time, Self.longestRest)
    if rest > 0 {
      isAtRest = fork.advanceUntilRest(limit: Int(rest * cursor.header.ratePerSecond)) {
        take(changesOf: fork.runtime, into: &wouldBe)
        comparison.compare(cursor.runtime, fork.runtime, changed: (false, true))
        frames += 1
      }
    }
    was.end(at: fork.runtime.frame.time)
    wouldBe.end(at: fork.runtime.frame.time)
  }

  private func take(all runtime: Runtime, into tracks: inout MotionTracks) {
    guard case .properties(let rows)? = try? runtime.answer(.properties(nil)) else { return }
    for row in rows { tracks.take(row.state, of: row.reference, in: runtime.frame) }
  }

  private func take(changesOf runtime: Runtime, into tracks: inout MotionTracks) {
    for record in runtime.log.take() {
      for change in record.drivers { tracks.take(change) }
    }
    for change in runtime.changes { tracks.take(change.state, of: change.reference, in: runtime.frame) }
  }

  // MARK: Results

  /// The last states of a property: as it was, and as it would be.
  func ends(of reference: PropertyReference) -> (was: PropertyState?, wouldBe: PropertyState?) {
    (cursor.runtime.state(of: reference), fork.runtime.state(of: reference))
  }

  /// The properties that differ most, both courses over each other.
  var overlays: [MotionTrack] {
    ComparisonPicture.overlays(
      of: comparison.differing,
      [was, wouldBe].map { tracks in { reference in tracks.tracks.first { $0.reference == reference } } })
  }
}
