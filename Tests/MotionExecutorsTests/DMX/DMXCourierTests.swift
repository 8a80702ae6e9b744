import Glibc
import MotionModel
import Testing

@testable import MotionExecutors

/// Packets on their way, by sockets on loopback.
struct DMXCourierTests {
  private func packet(to host: String) -> DMXPost.Packet {
    DMXPost.Packet(bytes: [1, 2, 3], carrier: .sacn, destination: .host(host))
  }

  // Clauses: S25.9
  @Test func `a receiver that does not listen is reported once, and again when it has answered for a while`() {
    var courier = DMXCourier()
    // An address of this machine that no test uses.
    let place = packet(to: "127.250.77.1")
    var reports: [String] = []
    for now in 0..<10 {
      reports += courier.send([place], at: Double(now)).reports
      reports += courier.receive(from: "Rack", at: Double(now)).reports
    }
    #expect(reports.count == 1 && reports[0].contains("127.250.77.1:5568: receiver is unreachable"), "\(reports)")
    let listener = UDPSocket(family: AF_INET)
    #expect(listener.listen(on: SACNPacket.port) == 0)
    // An error of before may still be there.
    _ = courier.send([place], at: 10)
    _ = courier.receive(from: "Rack", at: 10)
    reports = courier.send([place], at: 12).reports + courier.receive(from: "Rack", at: 12).reports
    #expect(reports.isEmpty)
    reports = courier.send([place], at: 20).reports
    #expect(reports.count == 1 && reports[0].contains("reachable again"), "\(reports)")
    #expect(listener.receive()?.packet == [1, 2, 3])
  }

  // Clauses: S25.9
  @Test func `what arrives where nothing is expected wakes no thread, and unused sockets are closed`() throws {
    var courier = DMXCourier()
    let listener = UDPSocket(family: AF_INET)
    #expect(listener.listen(on: SACNPacket.port) == 0)
    _ = courier.send([packet(to: "127.250.77.2")], at: 0)
    let sender = try #require(listener.receive()?.sender)
    #expect(listener.send([9], to: sender) == 0)
    var polled = courier.polled
    #expect(polled.count == 1 && poll(&polled, 1, 50) == 0)
    _ = courier.send([packet(to: "127.250.77.3")], at: 20)
    #expect(courier.polled.count == 2)
    _ = courier.send([packet(to: "127.250.77.3")], at: 40)
    #expect(courier.polled.count == 1, "the other was not used for 40 s")
  }

  // Clauses: S25.9
  @Test func `the port of Art-Net is free again some time after the last poll`() {
    var courier = DMXCourier()
    let poll = DMXPost.Packet(bytes: ArtNetPacket.poll, carrier: .artnet, destination: .broadcast, via: "127.0.0.1")
    _ = courier.send([poll], at: 0)
    #expect(courier.polled.contains { $0.events == Int16(POLLIN) })
    _ = courier.send([packet(to: "127.250.77.4"), poll], at: 20)
    _ = courier.send([packet(to: "127.250.77.4")], at: 45)
    #expect(courier.polled.count == 2)
    _ = courier.send([packet(to: "127.250.77.4")], at: 80)
    #expect(courier.polled.count == 1 && courier.polled[0].events == 0)
  }

  // Clauses: S25.9
  @Test func `a name is looked up by another thread, and only the last packets are sent`() throws {
    var courier = DMXCourier()
    let place = packet(to: "lamps.example")
    let first = courier.send([place], at: 0)
    #expect(first.lookupThreads == 1 && first.reports.isEmpty)
    #expect(courier.lookups.next() == "lamps.example")
    #expect(courier.send([place], at: 1).lookupThreads == 0)
    let missing = courier.answered(.missing("no such host"), for: "lamps.example", at: 2)
    #expect(missing.reports.count == 1 && missing.reports[0].contains("its address is not found"))
    _ = courier.lookups.next()
    #expect(courier.send([place], at: 3).lookupThreads == 0 && courier.send([place], at: 8).lookupThreads == 1)
    _ = courier.lookups.next()
    guard case .found(let address)? = HostAnswer(numeric: "127.250.77.1") else { return }
    #expect(courier.answered(.found(address), for: "lamps.example", at: 9).reports.count == 1)
    _ = courier.send([place], at: 10)
    #expect(courier.polled.count == 1)
  }
}
