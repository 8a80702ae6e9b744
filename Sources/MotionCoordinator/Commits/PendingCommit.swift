import MotionCore
import MotionModel

/// A transaction on its way from its check to its effect, and who waits for its receipt.
final class PendingCommit {
  /// The state of the transaction.
  enum State {
    /// It is valid and has its place in the order; nothing is written of it.
    case checked(AcceptedTransaction)
    /// It is on its way to the disk and has no effect yet.
    case submitted(AcceptedTransaction)
    /// It is on disk and is applied now: whatever happens, it has its effect.
    case durable(AcceptedTransaction)
    /// It has taken effect, or waits for its time.
    case applied(Receipt)
    /// It could not be written, and has no effect.
    case refused
  }

  let id: TransactionID
  let digest: TransactionDigest
  /// The length of its message, or about how much is stored of it.
  let bytes: Int
  /// The number of its operations.
  let operations: Int
  /// The client, if the transaction holds only while it is connected.
  let owner: UInt64?
  /// The requesters of this commit, the first first: a client that resends it meanwhile gets the same receipt.
  private(set) var requesters: [Requester]
  private(set) var state: State

  /// A transaction that was accepted just now.
  ///
  /// - Parameter bytes: how many bytes it takes with the targets for which its selectors stood, if it has any.
  init(_ accepted: AcceptedTransaction, _ request: CommitRequest, bytes: Int? = nil) {
    state = .checked(accepted)
    (id, digest, self.bytes) = (request.commit.id, request.decoded.digest, bytes ?? request.decoded.bytes)
    operations = accepted.transaction.log.count
    owner = request.commit.whileConnected ? request.client : nil
    requesters = request.requester.map { [$0] } ?? []
  }

  /// Another request for the same commit. Only the newest request of each client is kept: that is the one it waits for.
  func join(_ requester: Requester) {
    requesters.removeAll { $0.client == requester.client }
    requesters.append(requester)
  }

  /// Its sequence, until it is applied or refused.
  var sequence: UInt64? {
    switch state {
    case .checked(let accepted), .submitted(let accepted), .durable(let accepted): accepted.sequence
    case .applied, .refused: nil
    }
  }

  /// It is written from now on.
  func submit() {
    guard case .checked(let accepted) = state else { preconditionFailure("a commit that is \(state) is submitted") }
    state = .submitted(accepted)
  }

  /// It has reached the disk.
  func reachDisk() {
    guard case .submitted(let accepted) = state else { preconditionFailure("a commit that is \(state) is written") }
    state = .durable(accepted)
  }

  /// Lets it take effect: when it is on disk, or at once if nothing is kept.
  func apply(in runtime: Runtime) -> Receipt {
    switch state {
    case .checked(let accepted), .durable(let accepted):
      let receipt = runtime.apply(accepted)
      state = .applied(receipt)
      return receipt
    case .submitted, .applied, .refused: preconditionFailure("a commit that is \(state) is applied")
    }
  }

  /// It could not be written: removes what was prepared for it.
  func refuse(in runtime: Runtime) {
    guard case .submitted(let accepted) = state else { preconditionFailure("a commit that is \(state) is refused") }
    runtime.discard(accepted)
    state = .refused
  }
}
