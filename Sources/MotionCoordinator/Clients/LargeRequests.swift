import MotionCore

/// The queue of requests that were decoded on a thread of their own, in order, and the progress of the first.
struct LargeRequests {
  var requests: [RequestDecoder.Decoded] = []
  /// The search for the targets of the first request so far, if that request is a commit.
  var resolution: TargetResolution?
  /// The check of the first request so far, likewise.
  var check: TransactionCheck?
  /// Finished checks, kept until nothing is left of what was staged for a refused transaction.
  var checked: [TransactionCheck] = []

  var isEmpty: Bool { requests.isEmpty && checked.isEmpty }
}
