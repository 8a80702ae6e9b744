import LinuxSystem
import MotionModel
import MotionWire
import ZeroMQ

/// Encodes long answers on a thread of its own, piece by piece, so that no frame waits for it.
///
/// It holds the bytes of the answers in progress, of which one is being made at a time; ``AnswerQueue`` bounds the rows
/// that wait for it.
final class AnswerEncoder {
  /// The result of a piece or an answer.
  enum Result: Sendable {
    /// So many rows were encoded.
    case encoded(Int)
    /// The message of an answer is made.
    case made(UInt64, Encoded)
    /// An answer has become longer than receivers accept; it is dropped.
    case tooLong(UInt64)
    /// So many bytes of unread answers wait that there is no room for this one; it is dropped.
    case noRoom(UInt64)
    /// There is no answer, for this reason.
    case refused(UInt64, Refusal)
  }

  /// A message on its way to the loop.
  ///
  /// Unchecked, because the thread that made it keeps no reference: the loop alone sends it.
  struct Encoded: @unchecked Sendable {
    let message: Message
  }

  /// A work item of the thread.
  private enum Work: Sendable {
    case add(AnswerPiece, of: UInt64, Query)
    case finish(UInt64, Query, [String], Envelope, ClosedRange<UInt64>, AnswerBudget.Share)
    case forget(UInt64)
    case state(UInt64, Swift.Result<RecordingHeader, Refusal>, Envelope, AnswerBudget.Share)
    case end
  }

  /// The work of the thread.
  private struct Body: TurnTaking {
    let work: Mailbox<Work>
    let results: Mailbox<Result>
    /// Answers that are being encoded; those that have become too long are removed, and their later pieces are ignored.
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
        case .state(let number, .success(let state), let envelope, let share):
          encode(state, of: number, envelope, share)
        case .state(let number, .failure(let refusal), _, _): results.post(.refused(number, refusal))
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
      // An answer that was reported as too long gets no second result.
      guard tooLong.remove(number) == nil else { return }
      var writer = writers.removeValue(forKey: number)?.writer ?? AnswerWriter(to: query)
      writer.add(remarks: remarks)
      post(writer.message(like: envelope, madeIn: frames), of: number, share)
    }

    private func encode(
      _ state: RecordingHeader, of number: UInt64, _ envelope: Envelope, _ share: AnswerBudget.Share
    ) {
      // The memory that it takes is several times the message: no message is made of what is far too large.
      guard state.snapshot?.estimatedBytes ?? 0 <= Self.mostMemory else { return results.post(.tooLong(number)) }
      let bytes = EncodedHeader(state).answer(like: envelope)
      guard bytes.count <= Limits.clientMessageBytes else { return results.post(.tooLong(number)) }
      post(bytes, of: number, share)
    }

    /// The memory of the largest state of which a message is made: fields with names take 100 bytes each, and 25 in a
    /// message.
    private static let mostMemory = 4 * Limits.clientMessageBytes

    private func post(_ bytes: [UInt8], of number: UInt64, _ share: AnswerBudget.Share) {
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

  /// Encodes the next piece of an answer.
  func add(_ piece: AnswerPiece, of number: UInt64, to query: Query) { work.post(.add(piece, of: number, query)) }

  /// Makes the message of an answer of which all pieces were added.
  ///
  /// - Parameters:
  ///   - envelope: the fields of its sender.
  ///   - share: its client's share of the budget.
  func finish(
    _ number: UInt64, to query: Query, remarks: [String], like envelope: Envelope, madeIn frames: ClosedRange<UInt64>,
    within share: AnswerBudget.Share
  ) {
    work.post(.finish(number, query, remarks, envelope, frames, share))
  }

  /// What encodes the present state as an answer, on whatever thread it is called.
  ///
  /// - Parameter envelope: the fields of its sender.
  func receiver(of number: UInt64, like envelope: Envelope, within share: AnswerBudget.Share) -> StateReceiver {
    { [work] in work.post(.state(number, $0, envelope, share)) }
  }

  /// Drops the encoded part of an answer.
  func forget(_ number: UInt64) { work.post(.forget(number)) }

  /// Takes out the results since the last call.
  func take() -> [Result] { results.take() }
}
