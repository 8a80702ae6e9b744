import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

@testable import MotionExecutorKit

struct WorkerSocketsTests {
  /// However many ticks wait, the worker receives the last, at once and not when yet another arrives.
  @Test(.timeLimit(.minutes(1))) func `the newest of the waiting ticks is received`() throws {
    let directory = try TemporaryFolder()
    let environment = WorkerEnvironment(
      address: WorkerAddress("kit-test", 0), incarnation: 2, epoch: 5, link: try .ipc(directory.path + "/link"),
      commands: try .ipc(directory.path + "/commands"), ticks: try .ipc(directory.path + "/ticks"),
      events: try .ipc(directory.path + "/events"))
    let context = try ZeroMQContext()
    let publisher = try PublishSocket(context, .reportsAllSubscriptions(true))
    try publisher.bind(environment.ticks)
    let sockets = try WorkerSockets(environment, context: context)
    let topics = WorkerTopic(.ticks, of: environment.address, incarnation: 2)
    try sockets.subscribe(
      Welcome(
        protocolVersion: 1, commandTopic: "commands", tickTopic: topics.topic, eventTopic: "events", wantsUpdates: true)
    )
    while try publisher.receiveSubscription().message == nil {}
    for round in UInt64(0)..<200 {
      let last = round * 10 + 10
      for number in round * 10 + 1...last {
        let tick = Tick(frame: Frame(number: number, time: Double(number), dt: 0.01), lastCommand: 0)
        let envelope = Envelope(epoch: 5, incarnation: 2, sequence: number, sent: 1, .tick(tick))
        #expect(try publisher.send(Topic.frame(topics.topic, envelope)) == .sent)
      }
      var seen: [UInt64] = []
      while seen.last != last {
        _ = try sockets.poller.poll(timeout: .milliseconds(100))
        sockets.beginTurn()
        let before = seen.count
        while let envelope = try sockets.next() { seen.append(envelope.sequence) }
        #expect(seen.count <= before + 1, "one in a turn, however many have come")
      }
      #expect(seen == seen.sorted())
    }
  }
}
