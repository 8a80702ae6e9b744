import Testing
import ZeroMQ

@testable import MotionCoordinator

struct AuthorizedKeysTests {
  @Test func `a line of authorized keys contains a role, a key and a name`() throws {
    let (one, other) = (try CurveKey.generate().publicKey, try CurveKey.generate().publicKey)
    let keys = try AuthorizedKeys(
      parsing: "# who\n\n  client\t\(one.z85) desk \r\nworker \(other.z85) tween.1", from: "keys")
    #expect(
      keys.entries == [
        AuthorizedKeys.Entry(role: .client, key: one, name: "desk"),
        AuthorizedKeys.Entry(role: .worker, key: other, name: "tween.1"),
      ])
    #expect(keys.name(of: other) == "tween.1")
    #expect(keys.has(one, as: .client) && !keys.has(one, as: .worker))
  }

  @Test func `an invalid line of authorized keys is refused with its number and the right form`() throws {
    let key = try CurveKey.generate().publicKey.z85
    let lines = [
      "client \(key)", "client \(key) a b", "guest \(key) a", "client \(key.dropLast()) a", "\(key) client a",
      "client \(key) " + String(repeating: "a", count: 129), "client \(key) a\nclient \(key) b",
    ]
    for line in lines {
      let error = #expect(throws: StartError.self, "\(line)") {
        try AuthorizedKeys(parsing: "#\n" + line, from: "keys")
      }
      #expect(
        error?.description.contains(line.contains("\n") ? "keys:3" : "keys:2") == true, "\(String(describing: error))")
      #expect(error?.remedy.isEmpty == false)
    }
  }

  @Test func `a listener uses consecutive ports over tcp`() throws {
    let listener = try RemoteListener("tcp://127.0.0.1:5570", ports: 4)
    #expect(listener.endpoints.map(\.address) == (5570...5573).map { "tcp://127.0.0.1:\($0)" })
    #expect(try RemoteListener("tcp://[::1]:1", ports: 2).endpoints.last?.address == "tcp://[::1]:2")
    #expect(try RemoteListener("tcp://0.0.0.0:65534", ports: 2).endpoints.count == 2)
    let wrong = [
      "tcp://127.0.0.1:65535", "tcp://127.0.0.1:0", "tcp://127.0.0.1:*", "tcp://127.0.0.1", "ipc:///tmp/x",
      "inproc://x", "ws://127.0.0.1:80", "127.0.0.1:5570", "",
    ]
    for text in wrong {
      let error = #expect(throws: StartError.self, "\(text)") { try RemoteListener(text, ports: 2) }
      #expect(error?.remedy.isEmpty == false)
    }
  }

  @Test(arguments: ["", "a", "-1", "1,", "1;2", "4294967296", "1000 1001", "1 0"])
  func `a text that is not a user ID is refused`(text: String) {
    #expect(throws: StartError.self) { try AllowedClients(users: text, group: nil, own: 1) }
  }

  @Test func `users are given by ID, a group by name or ID, and not both together`() throws {
    #expect(try AllowedClients(users: "5, 6", group: nil, own: 1).userIDs == [5, 6])
    #expect(try AllowedClients(users: nil, group: "root", own: 1).groupID == 0)
    #expect(try AllowedClients(users: nil, group: "77", own: 1).groupID == 77)
    #expect(try AllowedClients(users: nil, group: nil, own: 1) == AllowedClients(own: 1))
    #expect(throws: StartError.self) { try AllowedClients(users: nil, group: "no such group", own: 1) }
    #expect(throws: StartError.self) { try AllowedClients(users: "1", group: "1", own: 1) }
  }
}
