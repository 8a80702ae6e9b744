import Glibc
import MotionExecutorKit
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// A second sender under the worker's name, which bypasses all checks of the worker's kit.
///
/// It publishes on the worker's own topic of events, in the right epoch and incarnation, from a socket of its own.
final class RogueVoice {
  private let context: ZeroMQContext
  private let socket: PublishSocket
  private let environment: WorkerEnvironment
  private var liar: DealerSocket?
  private var sequence: UInt64 = 0
  /// Made once: it takes longer than a frame.
  private var largest: [UInt8]?

  init(_ environment: WorkerEnvironment) throws {
    self.environment = environment
    context = try ZeroMQContext()
    socket = try PublishSocket(context, .sendHighWaterMark(100_000))
    try socket.connect(environment.events)
  }

  /// Writes not-a-number and infinity to the executor's own property.
  func sayNaN(of property: PropertyHandle, lanes: Int, by executor: ExecutorHandle, in frame: Frame) {
    for number in [Double.nan, .infinity] {
      let state = PropertyState(Lanes(SIMD4(repeating: number), count: lanes))
      say([PropertyWrite(executor: executor, property: property, state: state)], in: frame)
    }
  }

  /// Writes to every property but its own, and to its own in the name of every other executor.
  ///
  /// Handles count from 1 in each epoch, so that the first few dozen are those of all other moving properties.
  func sayForeign(besides property: PropertyHandle, by executor: ExecutorHandle, in frame: Frame) {
    var writes: [PropertyWrite] = []
    for number in UInt32(1)...64 {
      for lanes in 1...Limits.lanes where number != property.rawValue {
        let state = PropertyState(Lanes(SIMD4(repeating: 1e6), count: lanes))
        writes.append(PropertyWrite(executor: executor, property: PropertyHandle(number), state: state))
      }
      guard number != executor.rawValue else { continue }
      writes.append(
        PropertyWrite(executor: ExecutorHandle(number), property: property, state: PropertyState(1e6)))
    }
    say(writes, in: frame)
  }

  /// Sends the same empty update this many times.
  func sayNothing(times: Int) { repeatedly(.update(WorkerUpdate(frame: 1, commandsApplied: 0)), times) }

  /// Sends the same line to the log this many times.
  func sayLines(_ count: Int) { repeatedly(.log(LogLine(.info, "unruly \u{1B}[2Jsays a line")), count) }

  /// Sends updates with the maximum number of events, about plans that do not exist: so many that the limit is exceeded
  /// also where only every third frame is reached.
  func sayMuch() {
    let frame = largest ?? makeLargest()
    largest = frame
    for _ in 0..<3 { _ = try? socket.send(frame) }
  }

  private func makeLargest() -> [UInt8] {
    let events = (1...UInt64(Limits.unacknowledgedEvents)).map { number in
      WorkerUpdate.NumberedEvent(
        number, .finished(ExecutorHandle(1), IntentionIdentity(sequence: number, operation: 0), .completed))
    }
    return frame(.update(WorkerUpdate(frame: 1, events: events, commandsApplied: 0)))
  }

  private func repeatedly(_ body: Envelope.Body, _ times: Int) {
    let frame = frame(body)
    for _ in 0..<times { _ = try? socket.send(frame) }
  }

  private func frame(_ body: Envelope.Body) -> [UInt8] {
    let topic = WorkerTopic(.events, of: environment.address, incarnation: environment.incarnation).topic
    return Topic.frame(
      topic, Envelope(epoch: environment.epoch, incarnation: environment.incarnation, sequence: 1, body))
  }

  /// Sends a hello as every other possible worker and start, and as its own under other numbers.
  func lieAboutItself() {
    do {
      let socket = try liar ?? DealerSocket(context, .sendHighWaterMark(1000))
      if liar == nil { try socket.connect(environment.link) }
      liar = socket
      for incarnation in UInt64(1)...8 {
        for plugin in [environment.address.plugin, "tween"] {
          let hello = Hello(address: WorkerAddress(plugin, 0), processID: 1, executors: ["Tween", "Unruly"])
          for body in [Envelope.Body.hello(hello), .resync(commandsApplied: 0)] {
            let envelope = Envelope(epoch: environment.epoch, incarnation: incarnation, sequence: 1, body)
            _ = try socket.send(envelope.encoded())
          }
        }
      }
    } catch {
      Output.say("cannot lie: \(error)")
    }
  }

  private func say(_ writes: [PropertyWrite], in frame: Frame) {
    say(.update(WorkerUpdate(frame: frame.number, writes: writes, commandsApplied: 0)))
  }

  private func say(_ body: Envelope.Body) {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    sequence += 1
    let envelope = Envelope(
      epoch: environment.epoch, incarnation: environment.incarnation, sequence: sequence,
      sent: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec), body)
    let topic = WorkerTopic(.events, of: environment.address, incarnation: environment.incarnation).topic
    do {
      _ = try socket.send(Topic.frame(topic, envelope))
    } catch {
      Output.say("cannot lie: \(error)")
    }
  }
}
