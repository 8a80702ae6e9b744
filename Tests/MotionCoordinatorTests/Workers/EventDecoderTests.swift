import Glibc
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

@Suite(.timeLimit(.minutes(1)))
struct EventDecoderTests {
  private let decoder: EventDecoder
  private let tween = EventDecoder.Life(address: WorkerAddress("tween", 0), incarnation: 3)
  private let other = EventDecoder.Life(address: WorkerAddress("tween", 0), incarnation: 4)

  init() throws { decoder = try EventDecoder() }

  private func message(_ number: UInt64, events: Int = 0, writes: Int = 0) -> Message {
    let update = WorkerUpdate(
      frame: number,
      writes: (0..<writes).map {
        PropertyWrite(executor: ExecutorHandle(1), property: PropertyHandle(UInt32($0) + 1), state: PropertyState(0.5))
      },
      events: (0..<events).map {
        WorkerUpdate.NumberedEvent(UInt64($0) + 1, .activity(ExecutorHandle(1), true))
      }, commandsApplied: 0)
    return Message(Topic.frame("e", Envelope(epoch: 1, incarnation: 3, sequence: number, .update(update))))
  }

  private func isFor(_ message: Message, _ life: EventDecoder.Life) -> Bool {
    message.withUnsafeBytes { decoder.isFor(UnsafeRawBufferPointer(rebasing: $0[2...]), of: life) }
  }

  private func take(_ count: Int) -> [EventDecoder.Decoded] {
    var taken: [EventDecoder.Decoded] = []
    while taken.count < count {
      taken += decoder.take()
      sched_yield()
    }
    return taken
  }

  // Clauses: S15.6
  @Test func `large messages are decoded on another thread, many values are not`() {
    #expect(!isFor(message(1, events: 10), tween))
    #expect(isFor(message(1, events: 3000), tween))
    #expect(message(1, writes: 2000).count > EventDecoder.largeBytes)
    #expect(!isFor(message(1, writes: 2000), tween))
    #expect(isFor(message(1, events: 1, writes: 2000), tween))
    #expect(isFor(message(1, writes: 20_000), tween))
    let junk = Message([UInt8](repeating: 0, count: EventDecoder.largeBytes + 2))
    #expect(isFor(junk, tween))
  }

  // Clauses: S15.6
  @Test func `messages behind a large one are decoded after it, those of other lives are not`() throws {
    #expect(decoder.hand(over: message(1, events: 3000), from: 2, of: tween))
    #expect(isFor(message(2), tween) && !isFor(message(2), other))
    #expect(decoder.hand(over: message(2), from: 2, of: tween))
    let decoded = take(2)
    #expect(try decoded.map { try $0.result.get().sequence } == [1, 2])
    #expect(decoded.map(\.life) == [tween, tween])
    #expect(isFor(message(3), tween), "it was not heard yet")
    for message in decoded { decoder.finish(message) }
    #expect(!isFor(message(3), tween) && !decoder.isBusy)
  }

  // Clauses: S15.6
  @Test func `an undecodable message gives the reason, and a life can queue at most the largest message`() throws {
    #expect(decoder.hand(over: Message([7, 0, 255, 255]), from: 2, of: tween))
    let decoded = take(1)[0]
    #expect(throws: WireError.self) { try decoded.result.get() }
    #expect(!decoder.hand(over: Message(count: EventDecoder.bytesOfLife) { _ in }, from: 2, of: tween))
    #expect(decoder.hand(over: Message(count: EventDecoder.bytesOfLife) { _ in }, from: 2, of: other))
    decoder.finish(decoded)
    decoder.finish(take(1)[0])
    #expect(!decoder.isBusy)
  }
}
