import Glibc
import Logging
import MotionModel
import MotionTestKit
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct SubscriberQueueTests {
  /// The memory of this process that is not shared, in bytes.
  private var privateBytes: Int {
    guard let bytes = try? FileBytes.read("/proc/self/status", limit: 65_536) else { return 0 }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("RssAnon:") {
      return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
    return 0
  }

  @Test func `a subscriber that does not read costs 128 MiB at most`() throws {
    let folder = try TemporaryFolder()
    let directory = try RuntimeDirectory(folder.path)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let sockets = try Sockets(directory, clients: AllowedClients(own: geteuid()), logger: logger)
    // A context of its own, as in another process; it receives one message and stops reading its connection.
    let lazy = try SubscribeSocket(ZeroMQContext(), .receiveHighWaterMark(1))
    try lazy.connect(directory.values)
    try lazy.subscribe([])
    let poller = Poller()
    _ = poller.add(sockets.values)
    #expect(try poller.poll(timeout: .seconds(10)) == .ready(1))
    #expect(try sockets.values.receiveSubscription().message != nil)
    let before = privateBytes
    // Three times the capacity of the queue.
    for _ in 0..<3 * Sockets.valuesQueue {
      let message = Message(count: 65_536) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
      #expect(try sockets.values.send(message) == .sent)
    }
    let taken = privateBytes - before
    let most = Sockets.valuesQueue * 65_536
    #expect(most == 128 << 20)
    // The queue has to be full for the test to be meaningful; a tenth more is libzmq's and malloc's own.
    #expect(taken > most / 2, "\(taken >> 20) MiB")
    #expect(taken < most * 11 / 10, "\(taken >> 20) MiB")
  }
}
