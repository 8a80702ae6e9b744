import MotionCore
import MotionModel
import MotionWire

/// Requests that were decoded on a thread of their own, in order, and how far the first of them is.
struct LargeRequests {
  var requests: [RequestDecoder.Decoded] = []
  /// Of the first, if it commits something: what is checked of it already.
  var check: TransactionCheck?

  var isEmpty: Bool { requests.isEmpty }
}

extension Coordinator {
  /// Operations of large transactions that are checked in one turn: about half a millisecond, so that a frame at the
  /// highest rate is not late for it. What is left goes on in the next turn, which comes at once.
  static let operationsPerTurn = 1_000

  /// Does what large requests ask for, in order: of large transactions a piece in each turn.
  func doLargeRequests(at now: Duration) {
    var operations = Self.operationsPerTurn
    while operations > 0, let first = large.requests.first {
      do {
        guard try check(first, &operations, at: now) else { return }
        take(first, at: now, checked: large.check)
      } catch {
        refuse(error, to: first.client, request: first.request)
      }
      large.check = nil
      large.requests.removeFirst()
      decoder.finish(first)
    }
  }

  /// Checks the next piece of a transaction.
  ///
  /// - Returns: whether nothing is left to check.
  private func check(
    _ request: RequestDecoder.Decoded, _ operations: inout Int, at now: Duration
  ) throws(Refusal) -> Bool {
    guard case .success((let envelope, let digest?)) = request.result, case .commit(let commit) = envelope.body,
      envelope.epoch == 0 || envelope.epoch == epoch, stopping == nil
    else { return true }
    do {
      if large.check == nil {
        // What was committed before is answered without a check.
        guard memory.recall(commit.id, digest, at: now) == .new else { return true }
        large.check = try TransactionCheck(commit.transaction, in: runtime)
      }
      operations -= try large.check?.advance(operations) ?? 0
    } catch {
      throw explain(error, of: commit.transaction)
    }
    return large.check?.isFinished ?? true
  }
}
