import Testing

@testable import ZeroMQ

/// Memory that returns to the pool when a message is released, wherever that is, and is used for the next one.
struct MessagePoolTests {
  private func message(of count: Int, from pool: MessagePool, _ byte: UInt8 = 7) -> Message {
    Message(count: count, from: pool) { $0.initializeMemory(as: UInt8.self, repeating: byte) }
  }

  @Test func `a buffer returns with the last holder of its message, up to the kept number`() {
    let pool = MessagePool(messageBytes: 1000, kept: 2)
    var messages: [Message] = (0..<3).map { message(of: 1000, from: pool, UInt8($0)) }
    #expect(pool.count == 0)
    #expect(messages.map { $0.bytes } == (0..<3).map { [UInt8](repeating: $0, count: 1000) })
    let shared = Message(sharing: messages[0])
    messages = []
    #expect(pool.count == 2)
    #expect(shared.bytes == [UInt8](repeating: 0, count: 1000))
    _ = message(of: 900, from: pool)
    #expect(pool.count == 2)
    pool.empty()
    #expect(pool.count == 0)
  }

  @Test func `a short message takes no buffer from the pool`() {
    let pool = MessagePool(messageBytes: 1000, kept: 2)
    #expect(message(of: 10, from: pool).bytes == [UInt8](repeating: 7, count: 10))
    #expect(message(of: 0, from: pool).count == 0 && pool.count == 0)
  }

  @Test func `buffers that another thread releases return to the pool`() throws {
    let bench = try Bench()
    let (publisher, subscriber) = try bench.pair(.ipc)
    let pool = MessagePool(messageBytes: 1000, kept: 8)
    for _ in 0..<100 { #expect(try publisher.send(message(of: 1000, from: pool)) == .sent) }
    for _ in 0..<100 { #expect(try subscriber.awaitOne().bytes == [UInt8](repeating: 7, count: 1000)) }
    #expect(pool.count > 0 && pool.count <= 8)
  }
}
