import MotionModel
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct ClientTableTests {
  private var table = ClientTable()

  private func process(_ id: Int32, serial: UInt64) -> PeerName {
    PeerName(.process(LocalPeer(userID: 1000, groupID: 100, processID: id)), serial: serial)
  }

  private func rows(
    _ presence: ClientPresence = ClientPresence(), at now: Duration = .zero, closed: Set<Int32> = []
  ) -> [ClientRow] {
    table.rows(presence, at: now) { !closed.contains($0) }
  }

  private mutating func note(
    _ id: UInt64, _ name: String?, _ sender: PeerName?, on connection: Int32?, at now: Duration = .zero,
    closed: Set<Int32> = []
  ) {
    table.note(
      id, named: name, sender, on: connection, at: now, wallTime: Int64(id), isConnected: { !closed.contains($0) })
  }

  // Clauses: S8.49
  @Test mutating func `clients are listed by their first requests, with what is known about them`() {
    note(1, "desk", process(7, serial: 1), on: 20)
    note(2, nil, nil, on: 21, at: .seconds(1))
    table.heard(1, at: .seconds(2))
    let expected = [
      ClientRow(Committer(name: "desk", user: 1000, process: 7), since: 1, silent: 1, .nothing),
      ClientRow(Committer(), since: 2, silent: 2, .nothing),
    ]
    #expect(rows(at: .seconds(3)) == expected)
    note(2, "wall", process(8, serial: 2), on: 21, at: .seconds(3))
    #expect(
      rows(at: .seconds(3))[1]
        == ClientRow(
          Committer(name: "wall", user: 1000, process: 8), since: 2, silent: 0, .nothing))
    #expect(table.client(2)?.name == "wall" && table.client(3) == nil)
  }

  // Clauses: S8.49
  @Test mutating func `a client whose connection is closed is listed only while it holds something`() {
    note(1, "desk", process(7, serial: 1), on: 20)
    #expect(rows(closed: [20]).isEmpty && rows().count == 1)
    var presence = ClientPresence()
    presence.committed(4, by: 1, at: .zero, unfinished: { $0 })
    #expect(rows(presence, closed: [20]).map(\.held) == [.init(transactions: 1, pointers: 0, inputs: 0)])
    // The descriptor of a closed connection is used by another one.
    note(2, "wall", process(8, serial: 2), on: 20)
    #expect(rows().map(\.client.name) == ["wall"])
    // Two clients of one connection: those of a gateway.
    note(3, "guest", process(8, serial: 2), on: 20)
    #expect(rows().map(\.client.name) == ["wall", "guest"])
  }

  // Clauses: S8.49
  @Test mutating func `of too many clients those are forgotten that are gone, then those that were silent longest`() {
    for id in 1...UInt64(Limits.clients) {
      note(id, "a\(id)", process(Int32(id), serial: id), on: Int32(id), at: .milliseconds(Int(id)))
    }
    #expect(rows().count == Limits.clients)
    note(5_000, "b", process(9, serial: 5_000), on: 5_000, at: .seconds(9), closed: [1, 2])
    #expect(rows().count == Limits.clients / 2)
    #expect(table.knows(5_000) && !table.knows(1) && !table.knows(3) && table.knows(UInt64(Limits.clients)))
  }
}
