import MotionCore
import MotionDrawing
import MotionFiles
import MotionHistory
import MotionModel

/// What was, from a moment of a recording on, and what would have been.
struct ForkedCourse {
  /// How long the other course is followed after the end of the recording.
  static let longestRest = 60.0

  private let timeline: Timeline
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
  var file: String { timeline.file }
  /// The plans that are held, because their workers do not run here.
  var held: [IntentionRow] { fork.held }
  /// The plans of hands that were down, and have let go.
  var letGo: [IntentionRow] { fork.letGo }
  /// The plans that have failed in the other course, with the reasons.
  var failed: [IntentionRow] { fork.runtime.failures }

  /// How the run would have gone on after the end of the recording; `nil` if the other course was not followed that far.
  private(set) var continuation: Fork?

  /// Replays a recording up to a moment.
  init(of timeline: Timeline, at moment: RecordedMoment, lastSequence: UInt64) throws(Failure) {
    self.timeline = timeline
    try timeline.go(to: try readingHistory { () throws(HistoryError) in try timeline.frame(at: moment, .before) })
    wallTime = timeline.clocks?.wallTime
    let runtime = timeline.runtime
    (start, end) = (runtime.frame, runtime.frame)
    fork = Fork(
      at: runtime, by: ExecutorRegistry(with: timeline.header.plugins), lastSequence: lastSequence)
    runtime.log.keeps = .drivers
    _ = runtime.log.take()
    (was, wouldBe) = (MotionTracks(from: start.time), MotionTracks(from: start.time))
    take(all: runtime, into: &was)
    take(all: fork.runtime, into: &wouldBe)
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
    while timeline.runtime.frame.time < last, let played = try timeline.advance() {
      fork.follow(played.recorded)
      take(changesOf: timeline.runtime, into: &was)
      take(changesOf: fork.runtime, into: &wouldBe)
      comparison.compare(timeline.runtime, fork.runtime, changed: (true, true))
      frames += 1
      end = played.recorded.frame
    }
    let rest = min(last - fork.runtime.frame.time, Self.longestRest)
    if rest > 0, fork.runtime.wantsFrames { goOn(frames: Int(rest * timeline.header.ratePerSecond)) }
    isAtRest = rest > 0 ? !fork.runtime.wantsFrames : nil
    was.end(at: fork.runtime.frame.time)
    wouldBe.end(at: fork.runtime.frame.time)
  }

  /// Follows both courses after the end of the recording: what moves in both differs no more than before.
  private mutating func goOn(frames most: Int) {
    let unchanged = Fork(at: timeline.runtime, by: ExecutorRegistry(with: timeline.header.plugins))
    continuation = unchanged
    var count = 0
    while fork.runtime.wantsFrames || unchanged.runtime.wantsFrames, count < most {
      for course in [unchanged, fork] { course.runtime.advance() }
      take(changesOf: unchanged.runtime, into: &was)
      take(changesOf: fork.runtime, into: &wouldBe)
      comparison.compare(unchanged.runtime, fork.runtime, changed: (true, true))
      count += 1
    }
    frames += count
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
    ((continuation?.runtime ?? timeline.runtime).state(of: reference), fork.runtime.state(of: reference))
  }

  /// The properties that differ most, both courses over each other.
  var overlays: [MotionTrack] {
    ComparisonPicture.overlays(
      of: comparison.differing,
      [was, wouldBe].map { tracks in { reference in tracks.tracks.first { $0.reference == reference } } })
  }
}
