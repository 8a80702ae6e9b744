import LinuxSystem
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

/// What leaves the daemon besides replies: values and outcomes for subscribers, warnings about plans and limits that
/// failed, and metrics.
struct Publication {
  let publisher: Publisher
  /// The server of metrics, which reports the daemon's state to others than clients.
  let metrics: MetricsServer?
  /// Connections that were closed because they had too many topics.
  private(set) var excessiveSubscribers: UInt64 = 0
  /// The clients' subscriptions to values.
  private var subscriptions = SubscriptionLedger(
    topics: Sockets.topicsOfSubscriber, bytes: Sockets.topicBytesOfSubscriber, allBytes: Sockets.topicBytesOfAll,
    share: Sockets.topicBytesOfEach)
  private var failures = FailureLog()
  /// The records of the runtime's log that have not been published.
  private var records: [FrameRecord] = []

  /// - Parameter failures: the plans whose failure was logged when the coordinator started.
  init(_ publisher: Publisher, metrics: MetricsServer?, loggedFailures: [IntentionIdentity]) {
    (self.publisher, self.metrics) = (publisher, metrics)
    failures.noteLogged(loggedFailures)
  }

  /// Adds records of the runtime's log that are to be published.
  mutating func add(_ records: [FrameRecord]) {
    if self.records.isEmpty { self.records = records } else { self.records += records }
  }

  /// Takes out the records that have not been published.
  mutating func takeRecords() -> [FrameRecord] {
    defer { records = [] }
    return records
  }

  /// Publishes what changed with the last frame, or since.
  ///
  /// - Parameter records: the records of the runtime's log since the last call.
  /// - Returns: the warnings to log.
  mutating func publish(_ records: [FrameRecord], of runtime: Runtime, at now: Duration) -> [FailureLog.Line] {
    publisher.publish(runtime, at: now)
    let ended = records.flatMap(\.ended)
    publisher.publish(ended, at: now)
    var lines = failures.lines(about: ended, at: now) { identity in
      // The plans that have just failed are the newest.
      runtime.failures.last { $0.identity == identity }?.provenance
    }
    lines += failures.lines(about: records.flatMap(\.failedLimits), at: now)
    publisher.publish(records.flatMap(\.drivers), at: now)
    return lines
  }

  /// A client subscribes to a topic, or unsubscribes.
  ///
  /// - Returns: the topic and whether it is now wanted, if that has changed.
  mutating func receive(
    _ event: SubscriptionEvent, _ message: Message, on machine: any Machine
  ) -> (topic: [UInt8], isWanted: Bool)? {
    do throws(ExcessiveSubscriber) {
      return try subscriptions.note(event, message, on: machine)
    } catch {
      excessiveSubscribers += 1
      machine.hangUp(on: message)
      return nil
    }
  }

  /// The subscriptions of this turn have changed so. Each topic is answered once: an answer may be as large as the
  /// runtime, and a client that flips a subscription must not slow down all others.
  func update(_ topics: [(topic: [UInt8], isWanted: Bool)], of runtime: Runtime, at now: Duration) {
    for (topic, isWanted) in topics {
      if isWanted {
        publisher.subscribed(topic, to: runtime, at: now)
      } else {
        publisher.unsubscribed(topic, from: runtime)
      }
    }
    if runtime.log.keeps.contains(.drivers) != publisher.tellsDrivers {
      runtime.log.keeps.formSymmetricDifference(.drivers)
    }
  }
}
