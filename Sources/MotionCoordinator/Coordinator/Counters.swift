/// The counters of a coordinator, for the status.
struct Counters {
  var frameWakeUps: UInt64 = 0
  var maintenanceWakeUps: UInt64 = 0
  var malformedMessages: UInt64 = 0
  /// Connections that were closed because they had too many topics.
  var excessiveSubscribers: UInt64 = 0
  var stalls: UInt64 = 0
  /// Turns of the loop: it was woken, or did not wait.
  var turns: UInt64 = 0
}
