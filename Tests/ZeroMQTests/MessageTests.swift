import Synchronization
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(2)))
struct MessageTests {
  @Test func aMessageIsAsLongAsItsBytes() {
    // 33 bytes are kept in libzmq's header, 34 are allocated.
    for count in [0, 1, 32, 33, 34, 35, 4096] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let message = Message(bytes)
      #expect(message.count == count)
      #expect(message.bytes == bytes)
      #expect(message.withUnsafeBytes { $0.count } == count)
      #expect(!message.hasMore)
    }
  }

  @Test func aMessageIsFilledInPlace() {
    let message = Message(count: 3) { $0.copyBytes(from: [7, 8, 9]) }
    #expect(message.bytes == [7, 8, 9])
  }

  @Test func `a message reports its release once`() throws {
    let context = try ZeroMQContext()
    let (a, b) = (try DealerSocket(context), try DealerSocket(context))
    let endpoint = try Endpoint("inproc://released")
    try a.bind(endpoint)
    try b.connect(endpoint)
    for bytes in [[], Array(repeating: UInt8(5), count: 1000)] {
      let counter = Releases()
      var message: Message? = Message(bytes) { counter.count.add(1, ordering: .relaxed) }
      #expect(try message.map { try a.send($0) } == .sent)
      message = nil
      // The peer still has it.
      #expect(counter.count.load(ordering: .relaxed) == 0)
      var received = try b.receiveOne().message
      #expect(received?.bytes == bytes)
      received = nil
      #expect(counter.count.load(ordering: .relaxed) == 1)
    }
  }

  private final class Releases: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test func `an error while filling is thrown`() {
    #expect(throws: WaitTimeout.self) {
      try Message(count: 1000) { _ in throw WaitTimeout(description: "no bytes") }
    }
  }

  @Test func `a message may be queried while it is read`() {
    let message = Message([1, 2])
    #expect(message.withUnsafeBytes { $0.count + message.count } == 4)
  }

  @Test func aSentMessageIsEmpty() throws {
    let bench = try Bench()
    let (publisher, _) = try bench.pair(.inproc)
    let message = Message([UInt8](repeating: 1, count: 100))
    #expect(try publisher.send(message) == .sent)
    #expect(message.count == 0)
  }

  @Test(arguments: TestTransport.allCases)
  func messagesOfAnySizeArriveAsTheyWere(_ transport: TestTransport) throws {
    var random = SeededGenerator(for: "messagesOfAnySizeArriveAsTheyWere")
    let bench = try Bench()
    let (router, dealer, id) = try bench.route(transport)
    for round in 0..<40 {
      // Small ones more often: they have more boundaries (33 bytes in the header, 255 in a short frame).
      let limit = 1 << Int.random(in: 0...20, using: &random)
      let size = round == 0 ? 1 << 20 : Int.random(in: 0...limit, using: &random)
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        for index in 0..<size { buffer[index] = UInt8(truncatingIfNeeded: index &* 31 &+ round) }
        count = size
      }
      #expect(try router.send(bytes, to: id) == .sent)
      let received = try dealer.awaitOne()
      // Compared first, so that a failure does not print a megabyte.
      let isEqual = received.bytes == bytes
      #expect(isEqual, "\(size) bytes, seed \(random.seed)")
    }
  }

  @Test(arguments: [0, 5, 100_000])
  func `a shared message keeps its bytes after the first is released`(count: Int) {
    var first: Message? = Message(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
    let second = first.map { Message(sharing: $0) }
    #expect(first?.count == count)
    first = nil
    #expect(second?.bytes == [UInt8](repeating: 7, count: count))
  }
}
