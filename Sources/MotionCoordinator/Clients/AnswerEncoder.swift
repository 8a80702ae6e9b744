import LinuxSystem
import MotionModel
import MotionWire
import ZeroMQ

/// Encodes long answers on a thread of its own, piece by piece, so that no frame waits for their bytes.
///
/// It holds the bytes of the answers that are under way, of which one is being made at a time; ``AnswerQueue`` bounds the rows
/// that wait for it.
final class AnswerEncoder {
  /// What became of what was handed over.
  enum Result: Sendable {
    /// So many rows were encoded.
    case encoded(Int)
    /// The message of an answer is made.
    case made(UInt64, Encoded)
    /// An answer has become longer than receivers accept; it is forgotten.
    case tooLong(UInt64)
    /// So many bytes of answers wait to be read that there is no room for this one; it is forgotten.
    case noRoom(UInt64)
  }

  /// A message on its way to the loop.
  ///
  /// Unchecked, because the thread that made it keeps no reference: the loop alone sends it.
  struct Encoded: @unchecked Sendable {
    let message: Message
  }

  /// What the thread gets to do.
  private enum Work: Sendable {
    case add(AnswerPiece, of: UInt64, Query)
    case finish(UInt64, Query, [String], Envelope, ClosedRange<UInt64>, AnswerBudget.Share)
    case forget(UInt64)
    case end
  }

  /// What the thread does.
  private struct Body: TurnTaking {
    let work: Mailbox<Work>
    let results: Mailbox<Result>
    /// Answers that are being encoded; those that have become too long are missing, and so is what comes of them yet.
    var writers: [UInt64: (writer: AnswerWriter, size: AnswerSize)] = [:]
    var tooLong: Set<UInt64> = []

    mutating func turn(waits: Bool) -> Bool {
      if waits { work.wait() }
      for work in work.take() {
        switch work {
        case .add(let piece, let number, let query): add(piece, number, query)
        case .finish(let number, let query, let remarks, let envelope, let frames, let share):
          finish(number, query, remarks, envelope, frames, share)
        case .forget(let number):
          writers[number] = nil
          tooLong.remove(number)
        case .end: return false
        }
      }
      return true
    }

    private mutating func add(_ piece: AnswerPiece, _ number: UInt64, _ query: Query) {
      defer { results.post(.encoded(piece.count)) }
      guard !tooLong.contains(number) else { return }
      var entry = writers.removeValue(forKey: number) ?? (AnswerWriter(to: query), AnswerSize())
      let before = entry.size.bytes
      entry.size.add(piece)
      guard entry.size.isAcceptable(ofBytes: entry.writer.count + entry.size.bytes - before) else {
        tooLong.insert(number)
        return results.post(.tooLong(number))
      }
      entry.writer.add(piece)
      writers[number] = entry
    }

    private mutating func finish(
      _ number: UInt64, _ query: Query, _ remarks: [String], _ envelope: Envelope, _ frames: ClosedRange<UInt64>,
      _ share: AnswerBudget.Share
    ) {
      // Of which that was said already.
      guard tooLong.remove(number) == nil else { return }
      var writer = writers.removeValue(forKey: number)?.writer ?? AnswerWriter(to: query)
      writer.add(remarks: remarks)
      let bytes = writer.message(like: envelope, madeIn: frames)
      guard let message = share.message(of: bytes) else { return results.post(.noRoom(number)) }
      results.post(.made(number, Encoded(message: message)))
    }
  }

  private let work: Mailbox<Work>
  private let results: Mailbox<Result>

  /// Starts the thread.
  init(on machine: any Machine) throws {
    work = try Mailbox()
    results = try Mailbox()
    _ = machine.start("answers") { [work, results] in Body(work: work, results: results) }
  }

  deinit { work.post(.end) }

  /// The descriptor that becomes readable when something was encoded.
  var descriptor: Int32 { results.descriptor }

  /// Encodes a piece of an answer behind those before.
  func add(_ piece: AnswerPiece, of number: UInt64, to query: Query) { work.post(.add(piece, of: number, query)) }

  /// Makes the message of an answer of which all pieces were added.
  ///
  /// - Parameters:
  ///   - envelope: what it says of its sender.
  ///   - share: the part of the budget that its client has.
  func finish(
    _ number: UInt64, to query: Query, remarks: [String], like envelope: Envelope, madeIn frames: ClosedRange<UInt64>,
    within share: AnswerBudget.Share
  ) {
    work.post(.finish(number, query, remarks, envelope, frames, share))
  }

  /// Forgets what was encoded of an answer.
  func forget(_ number: UInt64) { work.post(.forget(number)) }

  /// Takes out what was encoded since the last call.
  func take() -> [Result] { results.take() }
}
