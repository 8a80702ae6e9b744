import MotionModel
import Testing

@testable import MotionExecutors

struct OSCReceiverTests {
  private let place = OSCPlace(host: "desk", port: 9000)

  private func address(_ text: String) throws -> SocketAddress {
    guard case .found(let address) = HostAnswer(numeric: text) else { throw Missing() }
    return address
  }

  private struct Missing: Error {}

  private func line(_ number: UInt64) -> OSCLine { OSCLine(number: number, place: place) }

  private func words(_ number: UInt64, _ value: Float) -> OSCWords {
    OSCWords(
      line: line(number), timeTag: .frame, messages: [OSCMessage(address: "/\(number)", arguments: [value])])
  }

  /// A receiver with a known address and two lines.
  private func receiver() throws -> OSCReceiver {
    var receiver = OSCReceiver(place, numeric: try address("10.0.0.1"), at: 0)
    for number in 1...2 as ClosedRange<UInt64> { receiver.open(line(number)) }
    return receiver
  }

  private func reports(_ actions: [OSCReceiver.Action]) -> [String] {
    actions.compactMap { if case .report(let text) = $0 { text } else { nil } }
  }

  @Test func `a receiver with a numeric address gets values at once, without a timer`() throws {
    var receiver = try receiver()
    #expect(receiver.whereabouts(at: 0) == .settled)
    #expect(receiver.tell([words(1, 5)], at: 0) == [.say([words(1, 5)])])
    #expect(receiver.nextDeadline == .infinity)
    #expect(receiver.deadline(at: 100) == [])
    #expect(receiver.address?.description == "10.0.0.1:9000")
  }

  @Test func `an unreachable receiver gets its last values each second until it recovers`() throws {
    var receiver = try receiver()
    _ = receiver.tell([words(1, 5), words(2, 6)], at: 0)
    let report = reports(receiver.missed(because: "Connection refused", at: 0))
    #expect(report.count == 1 && report[0].contains("desk:9000: receiver is unreachable: Connection refused"))
    #expect(receiver.missed(because: "Connection refused", at: 0.1) == [], "people are told once")
    #expect(receiver.nextDeadline == 1)
    #expect(receiver.deadline(at: 0.9) == [])
    // The first line has sent something since, and waits for its turn.
    _ = receiver.tell([words(1, 7)], at: 0.5)
    #expect(receiver.deadline(at: 1) == [.say([words(2, 6)])])
    #expect(receiver.lastRepeat(on: line(1)) == nil && receiver.lastRepeat(on: line(2)) == 1)
    #expect(receiver.deadline(at: 2) == [.say([words(1, 7), words(2, 6)])])
    #expect(receiver.missed(because: "Connection refused", at: 2) == [])
    for time in 3...6 { #expect(receiver.deadline(at: Double(time)) == [.say([words(1, 7), words(2, 6)])]) }
    let recovery = receiver.deadline(at: 7)
    #expect(recovery.count == 1 && reports(recovery).first?.contains("again, as far as is known, after 3") == true)
    #expect(receiver.nextDeadline == .infinity)
    // The next failure counts as new.
    #expect(receiver.missed(because: "Connection refused", at: 9).count == 1)
  }

  @Test func `values that do not change are resent after their silence, together from then on`() throws {
    var receiver = OSCReceiver(place, numeric: try address("10.0.0.1"), at: 0)
    receiver.open(line(1), keepAlive: 1)
    receiver.open(line(2), keepAlive: 1)
    receiver.open(line(3))
    receiver.open(line(4), keepAlive: 1)
    #expect(receiver.nextDeadline == .infinity, "nothing was sent")
    _ = receiver.tell([words(1, 5), words(3, 7)], at: 0)
    _ = receiver.tell([words(2, 6)], at: 0.25)
    #expect(receiver.nextDeadline == 1)
    #expect(receiver.deadline(at: 0.9) == [])
    #expect(receiver.deadline(at: 1) == [.say([words(1, 5), words(2, 6)])])
    #expect(receiver.lastRepeat(on: line(2)) == 1 && receiver.lastRepeat(on: line(3)) == nil)
    _ = receiver.tell([words(1, 8)], at: 1.75)
    #expect(receiver.nextDeadline == 2)
    #expect(receiver.deadline(at: 2) == [.say([words(2, 6)])])
    #expect(receiver.nextDeadline == 2.75)
    receiver.forget(line(1))
    receiver.close(line(2))
    #expect(receiver.nextDeadline == .infinity && receiver.deadline(at: 9) == [])
  }

  @Test func `values of a closed or forgotten line are not resent`() throws {
    var receiver = try receiver()
    _ = receiver.tell([words(1, 5), words(2, 6)], at: 0)
    _ = receiver.missed(because: "Connection refused", at: 0)
    receiver.close(line(2))
    #expect(receiver.deadline(at: 1) == [.say([words(1, 5)])])
    #expect(!receiver.isForgotten)
    receiver.forget(line(1))
    #expect(receiver.deadline(at: 2) == [])
    receiver.close(line(1))
    #expect(receiver.isForgotten)
    #expect(receiver.deadline(at: 3) == [])
  }

  @Test func `a receiver with a name gets its last value when the name is found`() throws {
    var receiver = OSCReceiver(place, numeric: nil, at: 0)
    receiver.open(line(1))
    #expect(receiver.deadline(at: 0) == [.lookUp])
    #expect(receiver.deadline(at: 0) == [], "once")
    #expect(receiver.whereabouts(at: 4.9) == .sought)
    // Sent for a time that is slightly ahead.
    for value in 1...3 { #expect(receiver.tell([words(1, Float(value))], at: 0.104) == []) }
    #expect(receiver.answered(.found(try address("10.0.0.7")), at: 0.1) == [.say([words(1, 3)])])
    #expect(receiver.whereabouts(at: 0.1) == .settled)
    #expect(receiver.lastRepeat(on: line(1)) == 0.1)
    #expect(receiver.nextDeadline == .infinity)
    #expect(receiver.tell([words(1, 4)], at: 0.2) == [.say([words(1, 4)])])
  }

  @Test func `an unanswered lookup is retried after a pause, and reported once`() throws {
    var receiver = OSCReceiver(place, numeric: nil, at: 0)
    receiver.open(line(1))
    _ = receiver.deadline(at: 0)
    _ = receiver.tell([words(1, 5)], at: 0)
    #expect(reports(receiver.answered(.silence("no server"), at: 2)).count == 1)
    #expect(receiver.whereabouts(at: 2) == .settled, "frames need not go on for it")
    #expect(receiver.nextDeadline == 7)
    #expect(receiver.deadline(at: 7) == [.lookUp])
    #expect(receiver.answered(.missing("unknown"), at: 8) == [])
    #expect(receiver.deadline(at: 13) == [.lookUp])
    let found = receiver.answered(.found(try address("10.0.0.7")), at: 14)
    #expect(reports(found).count == 1 && found.last == .say([words(1, 5)]))
  }

  @Test func `a lookup counts as settled after its timeout`() {
    let receiver = OSCReceiver(place, numeric: nil, at: 0)
    #expect(receiver.whereabouts(at: OSCReceiver.timeout) == .settled)
  }

  @Test func `a name that does not exist is reported as missing`() {
    var receiver = OSCReceiver(place, numeric: nil, at: 0)
    receiver.open(line(1))
    _ = receiver.deadline(at: 0)
    _ = receiver.answered(.missing("unknown"), at: 1)
    #expect(receiver.whereabouts(at: 1) == .missing("unknown"))
  }

  @Test func `an unreachable receiver's name is looked up again, and its values sent there`() throws {
    var receiver = OSCReceiver(place, numeric: nil, at: 0)
    receiver.open(line(1))
    _ = receiver.deadline(at: 0)
    _ = receiver.answered(.found(try address("10.0.0.7")), at: 0)
    _ = receiver.tell([words(1, 5)], at: 1)
    _ = receiver.missed(because: "No route to host", at: 20)
    #expect(receiver.deadline(at: 20) == [.lookUp])
    #expect(receiver.answered(.silence("no server"), at: 20.5) == [], "where it was it may still be")
    #expect(receiver.address?.description == "10.0.0.7:9000")
    #expect(receiver.deadline(at: 21) == [.say([words(1, 5)])])
    _ = receiver.missed(because: "No route to host", at: 24)
    #expect(receiver.deadline(at: 25.5).first == .lookUp)
    let found = receiver.answered(.found(try address("10.0.0.8")), at: 25.6)
    #expect(reports(found) == ["OSC to desk:9000: the address is now 10.0.0.8:9000"])
    #expect(found.last == .say([words(1, 5)]))
  }
}
