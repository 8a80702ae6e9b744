/// The counters of a coordinator, for the status.
struct Counters {
  var frameWakeUps: UInt64 = 0
  var maintenanceWakeUps: UInt64 = 0
  var malformedMessages: UInt64 = 0
  var foreignMessages: UInt64 = 0
  /// Messages in the name of a worker that came from another sender.
  var forgedMessages: UInt64 = 0
  /// Connections that were closed because they had too many topics.
  var excessiveSubscribers: UInt64 = 0
  /// Claims of slots that were refused.
  var refusedClaims: UInt64 = 0
  var stalls: UInt64 = 0
  var ticks: UInt64 = 0
  /// Turns of the loop: it was woken, or did not wait.
  var turns: UInt64 = 0
  /// Bytes of messages, without libzmq's own.
  var bytesFromWorkers: UInt64 = 0
  var bytesToWorkers: UInt64 = 0
}
