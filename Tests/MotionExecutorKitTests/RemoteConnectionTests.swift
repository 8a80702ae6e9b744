import Foundation
import MotionModel
import Testing
import ZeroMQ

@testable import MotionExecutorKit

/// The options of a program that is started by hand.
@Suite struct RemoteConnectionTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func read(
    _ arguments: [String], _ variables: [String: String] = [:]
  ) throws -> RemoteConnection? {
    try RemoteConnection.read(["/usr/lib/motiond/plugins/tween/tween"] + arguments) { variables[$0] }
  }

  /// The path of a pair of keys.
  private func key() throws -> String {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let path = directory.appending(path: "a.key").path
    _ = try CurveKeyFile.make(at: path, publicPath: directory.appending(path: "a.pub").path, name: "a")
    return path
  }

  @Test func `without an address there is no remote connection`() throws {
    #expect(try read([])?.address == nil)
    let spawned = ["MOTION_PLUGIN": "tween", "MOTION_INSTANCE": "3"]
    #expect(try read(["--vice", "none", "--key", "x"], spawned)?.address == nil)
  }

  @Test func `command-line options take precedence over the environment`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let key = try key()
    let server = try CurveKey.generate().publicKey
    let flags = ["--connect=tcp://show:5580", "--key", key, "--server-key", server.z85, "--mine", "--instance", "2"]
    let connection = try #require(try read(flags, ["MOTION_CONNECT": "tcp://other:1", "MOTION_INSTANCE": "1"]))
    #expect(connection.address == WorkerAddress("tween", 2))
    #expect(connection.link.address == "tcp://show:5580")
    #expect(connection.serverKey == server)
    #expect(try connection.endpoint(port: 5583).address == "tcp://show:5583")
    let variables = [
      "MOTION_CONNECT": "tcp://other:1", "MOTION_KEY": key, "MOTION_SERVER_KEY": server.z85, "MOTION_PLUGIN": "osc",
    ]
    #expect(try read([], variables)?.address == WorkerAddress("osc", 0))
  }

  @Test func `missing and wrong connection options are reported by name`() throws {
    let cases: [([String], String)] = [
      (["--connect", "tcp://show:5580"], "--key is missing"),
      (["--connect", "tcp://show:5580", "--key", "/nowhere"], "--server-key is missing"),
      (["--connect", "tcp://show:5580", "--key", "/nowhere", "--server-key", "x"], "/nowhere"),
      (["--connect", "ipc:///run/x"], "--connect"),
      (["--connect", "tcp://show:*"], "--connect"),
      (["--connect", "tcp://show:5580", "--instance", "16"], "--instance"),
      (["--connect", "tcp://show:5580", "--plugin", "A B"], "--plugin"),
    ]
    for (arguments, expected) in cases {
      let error = #expect(throws: RemoteArgumentError.self) { _ = try read(arguments) }
      #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }
  }
}
