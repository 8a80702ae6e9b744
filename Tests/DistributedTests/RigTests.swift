import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Limits in a file that motiond commits itself.
  @Suite struct RigTests {
    private func rig(_ velocity: Int) -> String {
      #"{"transaction": [{"limit": {"velocity": \#(velocity), "range": [-2, 2]}, "property": "angle", "on": "head"}]}"#
    }

    private func limits(_ client: MotionClient) throws -> LimitSetting? {
      try client.properties(of: "head").first { $0.reference.property == "angle" }?.limits
    }

    // Clauses: S19.17
    @Test func `a rig holds from the start, over restarts, and is read again at HUP`() throws {
      let directory = try TestDirectory()
      try directory.write(rig(3), to: "rig.json")
      let arguments = ["--rig", directory["rig.json"]]
      var daemon = try Daemon(in: directory, arguments: arguments)
      var client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("head")))
      try client.add(.springTo("angle", 50), to: "head")
      try watcher.listen("the bound") { watcher.track("angle", of: "head").last?.value[0] == 2 }
      #expect(watcher.track("angle", of: "head").allSatisfy { ($0.velocity?[0] ?? .nan) <= 3.000001 })
      func expected(_ velocity: Double) -> LimitSetting {
        .limits(PropertyLimits(range: .init(-2, 2), velocity: Lanes(velocity)))
      }
      #expect(try limits(client) == expected(3))
      let sequence = try client.add(.springTo("angle", 0), to: "head").sequence
      #expect(sequence == 3, "the rig is one transaction")

      // HUP of a file that has not changed commits nothing; a mistake is logged; a changed file is a transaction.
      try directory.write("{", to: "rig.json")
      daemon.process.send(SIGHUP)
      try awaitTruth("it is logged") { daemon.log.contains("the rig \(directory["rig.json"]) sets no limits: ") }
      #expect(try limits(client) == expected(3))
      try directory.write(rig(4), to: "rig.json")
      daemon.process.send(SIGHUP)
      try awaitTruth("the changed limits are in effect") { try limits(client) == expected(4) }

      // What a client changes lasts until the next start.
      var transaction = Transaction()
      transaction.liftLimits("angle", of: "head")
      try client.commit(transaction)
      try awaitTruth("they are lifted") { try limits(client) == LimitSetting.none }
      #expect(try daemon.terminate() == .exited(0))
      daemon = try Daemon(in: directory, arguments: arguments)
      client = try daemon.connect()
      try awaitTruth("the rig holds again") { try limits(client) == expected(4) }
      daemon.process.kill()
      daemon = try Daemon(in: directory, arguments: arguments)
      client = try daemon.connect()
      #expect(try limits(client) == expected(4))
      #expect(try client.add(.springTo("angle", 0), to: "head").sequence == 7, "nothing was missing")
    }

    // Clauses: S19.17
    @Test func `a rig that waits in a pause is not committed again`() throws {
      let directory = try TestDirectory()
      try directory.write(rig(3), to: "rig.json")
      let arguments = ["--rig", directory["rig.json"]]
      var daemon = try Daemon(in: directory, arguments: arguments)
      let client = try daemon.connect()
      try client.add(.springTo("angle", 1), to: "head")
      try awaitTruth("the rig is in effect") { (try? limits(client)) ?? nil != nil }
      try client.clock(.pause)
      try directory.write(rig(4), to: "rig.json")
      for _ in 0..<3 {
        daemon.process.send(SIGHUP)
        try awaitTruth("the changed limits wait") { try daemon.connect().waiting().count == 1 }
        daemon.process.kill()
        daemon = try Daemon(in: directory, arguments: arguments)
      }
      #expect(try daemon.connect().waiting().count == 1)
    }

    // Clauses: S19.17
    @Test(arguments: [
      (
        "{\"transaction\": [{\"limit\": {\"velocity\": -3}, \"property\": \"a\", \"on\": \"b\"}]}",
        "1:41: operation 0, field \"velocity\""
      ),
      (
        "{\"transaction\": [{\"forget\": \"b\"}]}",
        "1:19: operation 0, field \"forget\": \"forget\" is no limit. A rig consists of limits"
      ),
      ("{\"transaction\": [{\"add\": {\"type\": \"SpringTo\"}, \"to\": \"b\"}]}", "\"add\" is no limit"),
      ("", "1:1"),
      ("{\"transaction\": [], \"at\": 5}", "\"at\""),
      (
        "{\"transaction\": [{\"limit\": {\"velocity\": 1}, \"property\": \"a\", \"on\": \"b\"}, "
          + "{\"limit\": {\"velocity\": 5}, \"property\": \"a\", \"on\": \"b\"}]}", "it limits b/a twice"
      ),
    ])
    func `a mistake in a rig ends a start and a check with its place`(text: String, place: String) throws {
      let directory = try TestDirectory()
      try directory.write(text, to: "rig.json")
      try FileManager.default.createDirectory(atPath: directory["plugins"], withIntermediateDirectories: true)
      for arguments in [["--check"], []] {
        let process = try Daemon.start(directory, ["--rig", directory["rig.json"]] + arguments, log: "start")
        #expect(try process.awaitEnd() == .exited(1))
        let said = directory.text(of: "start")
        #expect(
          said.contains("read the rig") && said.contains(directory["rig.json"]) && said.contains(place), "\(said)")
        try FileManager.default.removeItem(atPath: directory["start"])
      }
    }
  }
}
