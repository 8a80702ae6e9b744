import MotionClient
import MotionHistory
import MotionModel

/// The last minutes of a daemon, as far as it keeps them.
struct DaemonHistory {
  private let client: MotionClient

  /// Connects to the daemon of these options.
  init(_ connection: ConnectionOptions) throws(Failure) { client = try connection.client() }

  /// The recording around a moment, at that moment.
  func timeline(at moment: RecordedMoment) throws(Failure) -> Timeline {
    try reading { try $0.timeline(at: moment) }
  }

  /// The recording from a moment on; a note states if the run began again after it.
  func timeline(from moment: RecordedMoment, _ console: Console = Console()) throws(Failure) -> Timeline {
    let part = try reading { try $0.part(from: moment, to: nil) }
    console.note(about: part.extent)
    return part.timeline
  }

  /// The recording with a part; a note states if it is not what was asked for.
  func part(_ span: SpanOptions, _ console: Console = Console()) throws(Failure) -> HistoryReader.Part {
    let part = try reading { try $0.part(from: span.beginning, to: span.to) }
    console.note(about: part.extent)
    return part
  }

  /// The recording with the seconds up to a moment.
  func part(leadingTo moment: RecordedMoment, seconds: Double) throws(Failure) -> HistoryReader.Part {
    try reading { try $0.part(leadingTo: moment, seconds: seconds) }
  }

  /// Writes a recording of a part.
  func write(
    _ span: SpanOptions, _ console: Console = Console(), restart: () throws -> Void,
    to write: ([UInt8]) throws -> Void
  ) throws(Failure) -> HistoryReader.Extent {
    let extent = try reading { try $0.write(from: span.beginning, to: span.to, restart: restart, to: write) }
    console.note(about: extent)
    return extent
  }

  /// Erases it, and prints that.
  func erase(_ reading: ReadingOptions) throws(Failure) {
    do throws(MotionClientError) {
      ClockText.print(try client.eraseHistory(), "Erased the history", at: client.moment, reading)
      // What is no more, no shell stands at.
      if let session = ShellSession.current, session.past?.isInHistory == true { session.past = nil }
    } catch {
      throw Self.failure(error)
    }
  }

  /// Reads from the segments that the daemon has now.
  private func reading<Result>(_ body: (HistoryReader) throws -> Result) throws(Failure) -> Result {
    var mayRetry = true
    while true {
      let listing = try self.listing()
      if let end = listing.segments.last?.last, !listing.problem.isEmpty {
        Console().note(
          Console().errorStyle.yellow("note: ")
            + "the history ends at \(Console.text(of: end)), and is not kept since: \(ShownText.escaping(listing.problem))"
        )
      }
      let reader = HistoryReader(
        listing, now: client.moment, isInterrupted: { ShellSession.current?.isInterrupted ?? false },
        fetch: { try client.history(segment: $0, from: $1) })
      do {
        return try body(reader)
      } catch let error as MotionClientError where error.refusal?.code == .notFound && mayRetry {
        // The oldest segment was dropped meanwhile.
        mayRetry = false
      } catch let error as MotionClientError {
        throw Failure(error)
      } catch let error as HistoryError {
        throw Failure(error)
      } catch let failure as Failure {
        throw failure
      } catch {
        throw Failure(.failure, "\(error)")
      }
    }
  }

  private func listing() throws(Failure) -> HistoryListing {
    do throws(MotionClientError) {
      return try client.history()
    } catch {
      throw Self.failure(error)
    }
  }

  /// A daemon that keeps no history, or is of a version before there was one, refuses it.
  private static func failure(_ error: MotionClientError) -> Failure {
    guard let refusal = error.refusal, [.notFound, .malformed].contains(refusal.code) else { return Failure(error) }
    return Failure(
      .refused, "this motiond keeps no history",
      remedy: "set history: 10min in its configuration, or start it with --history 10min")
  }
}

extension Console {
  /// Notes where a part of the history is other than was asked for.
  fileprivate func note(about extent: HistoryReader.Extent) {
    let note = errorStyle.yellow("note: ")
    if extent.isShort {
      self.note(note + "the history reaches back only to \(Self.text(of: extent.beginning))")
    }
    if let successor = extent.successor {
      let reason =
        switch successor {
        case .run: "the run began again"
        case .gap: "nothing was kept for some time"
        }
      self.note(
        note + "after this part, which ends with frame \(extent.end.number), \(reason); name a later moment for what "
          + "followed")
    }
  }

  /// A place of the history.
  static func text(of place: HistorySegment.Place) -> String {
    "\(NumberText.fixed(place.frame.time, digits: 3)) s (\(WallTimeText.text(place.clocks.wallTime)))"
  }
}

extension Failure {
  /// Converts an error about a recording.
  init(_ error: HistoryError) {
    self = error.isInterruption ? .interrupted : Failure(.failure, error.message, remedy: error.remedy)
  }
}
