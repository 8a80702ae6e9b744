import MotionCore
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct PublicationTests {
  private let runtime = Runtime(ratePerSecond: 10)
  private let socket: PublishSocket

  init() throws { socket = try PublishSocket(ZeroMQContext()) }

  private func publication(logged: [IntentionIdentity] = []) -> Publication {
    Publication(Publisher(socket, epoch: 1), metrics: nil, loggedFailures: logged)
  }

  /// Commits two plans of which the second fails in its frame: the first gives the property another number of lanes.
  private func fail() throws {
    runtime.log.keeps = .endings
    for value: Lanes in [[1], [1, 2]] {
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", value), to: "ball")
      try runtime.commit(transaction)
    }
    runtime.advance()
  }

  @Test func `a failed plan is logged once, and not if it was logged at the start`() throws {
    try fail()
    let failed = runtime.failures.map(\.identity)
    #expect(failed.count == 1)
    var publication = publication()
    #expect(publication.publish(runtime.log.take(), of: runtime, at: .zero).map(\.target) == ["ball"])
    #expect(publication.publish(runtime.log.take(), of: runtime, at: .zero).isEmpty)
  }

  @Test func `a failure that was logged when the coordinator started is not logged again`() throws {
    try fail()
    var publication = publication(logged: runtime.failures.map(\.identity))
    #expect(publication.publish(runtime.log.take(), of: runtime, at: .zero).isEmpty)
  }

  @Test func `drivers are kept for publishing only while a client subscribes to them`() {
    let publication = publication()
    #expect(!runtime.log.keeps.contains(.drivers))
    publication.update([(topic: Topic.subscription("d/ball"), isWanted: true)], of: runtime, at: .zero)
    #expect(runtime.log.keeps.contains(.drivers))
    publication.update([(topic: Topic.subscription("d/ball"), isWanted: false)], of: runtime, at: .zero)
    #expect(!runtime.log.keeps.contains(.drivers))
  }
}
