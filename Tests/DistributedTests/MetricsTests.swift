import Faults
import Foundation
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension TimedTests {
  /// Metrics for Prometheus: off by default, correct, and harmless whatever the requests.
  @Suite struct MetricsTests {
    private static let request = "GET /metrics HTTP/1.1\r\nHost: motiond\r\n\r\n"

    /// The daemon, and the path of its metrics.
    private func daemon(_ plugins: [PluginFolder] = [], rate: Double = 120) throws -> (Daemon, String) {
      let directory = try TestDirectory()
      let path = directory["metrics"]
      return (try Daemon(plugins, rate: rate, in: directory, arguments: ["--metrics", "unix:\(path)"]), path)
    }

    private func scrape(_ path: String) throws -> String {
      let connection = try RawConnection(path: path)
      connection.say(Self.request)
      return try connection.readToEnd()
    }

    private func value(_ name: String, in text: String) -> Double? {
      text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name) ") }?.split(separator: " ").last
        .flatMap { Double($0) }
    }

    // Clauses: S18.5
    @Test func `the metrics show the same numbers as the status`() throws {
      let (daemon, path) = try daemon([.tween()])
      #expect(try mode(of: path) == 0o660)
      let client = try daemon.connect()
      try client.add(.tween("opacity", to: 1, duration: .milliseconds(100)), to: "lamp")
      try awaitTruth("it is done") { try client.state(of: "opacity", of: "lamp")?.state.value == [1] }
      try client.awaitIdle()
      // The metrics may be a tenth of a second old, and a query of the status may cause a write of the time.
      let (text, status) = try awaitFact("metrics of now") { () -> (String, Status)? in
        let text = try scrape(path)
        let status = try client.status()
        let rows = Double(try #require(status.journal).writes.rows)
        let isOfNow = value("motiond_active", in: text) == 0 && value("motiond_journal_rows_total", in: text) == rows
        return isOfNow ? (text, status) : nil
      }
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
      #expect(value("motiond_frames_total", in: text) == Double(status.frame.number))
      #expect(value("motiond_commits_total", in: text) == 1)
      #expect(value("motiond_targets", in: text) == 1)
      #expect(value("motiond_journal_up", in: text) == 1)
      // The transaction, and the time, if a client queried the status late enough.
      let writes = try #require(status.journal).writes
      #expect(writes.rows >= 1)
      #expect(value("motiond_journal_write_seconds_count", in: text) == Double(writes.groups))
      #expect(value("motiond_epoch", in: text) == Double(status.epoch))
      #expect(value("motiond_worker_up{plugin=\"tween\",instance=\"0\"}", in: text) == 1)
      #expect(value("motiond_frame_lateness_seconds_count", in: text).map { $0 > 5 } == true)
      #expect(value("process_resident_memory_bytes", in: text).map { $0 > 1e6 } == true)
      // Each counter is present under some name.
      #expect(text.split(separator: "\n").count { $0.hasPrefix("# TYPE") } > status.counters.count)
      #expect(try daemon.terminate() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: path))
    }

    // Clauses: S18.4, S18.5
    @Test func `metrics start no thread by default, and cause no wake-ups while idle`() throws {
      let plain = try Daemon()
      #expect(try threads(of: plain).contains("metrics") == false)

      let (daemon, path) = try daemon()
      _ = try scrape(path)
      let facts = ProcessFacts(daemon.process.processID)
      let before = try #require(facts.sleeps(ofThread: "metrics"))
      let loop = try #require(facts.sleeps(ofThread: "coordinator"))
      letPass(.seconds(1))
      // Once at most, since the thread may have been about to close the connection.
      #expect(try #require(facts.sleeps(ofThread: "metrics")) <= before + 1)
      #expect(try #require(facts.sleeps(ofThread: "coordinator")) <= loop + 1)
    }

    // Clauses: S18.5
    @Test(
      .fault(
        .limits, "A client requests metrics without end", by: "a loop of requests",
        promise: "ten answers a second, and no more of the loop's time"))
    func `unlimited requests for metrics wake the loop ten times a second at most`() throws {
      let (daemon, path) = try daemon()
      let facts = ProcessFacts(daemon.process.processID)
      let before = try #require(facts.sleeps(ofThread: "coordinator"))
      let began = BootClock.now
      var asked = 0
      while BootClock.now - began < .seconds(1) {
        #expect(try scrape(path).hasPrefix("HTTP/1.1 200"))
        asked += 1
      }
      let took = BootClock.now - began
      #expect(asked > 40, "else it proves nothing")
      #expect(try #require(facts.sleeps(ofThread: "coordinator")) - before <= Int(took / .milliseconds(100)) + 3)
    }

    // Clauses: S18.6
    @Test(
      .fault(
        .peers, "A client requests metrics slowly or incorrectly",
        by: "connections that send half a request, nothing, or too much", promise: "no other peer is affected"))
    func `slow and malformed requests for metrics disturb no other client`() throws {
      let (daemon, path) = try daemon(rate: 250)
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      let watcher = try Watcher(client, .motion(.target("ball")))
      // The maximum number of simultaneous connections send nothing, half a request, or nonsense, and one never reads.
      var slow: [RawConnection] = []
      for number in 0..<8 {
        let connection = try RawConnection(path: path)
        if number % 2 == 1 { connection.say("GET /met") }
        slow.append(connection)
      }
      for nonsense in ["\u{0}\u{1}\n\n", "HELLO\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        try RawConnection(path: path).say(nonsense)
      }
      for _ in 0..<200 { _ = try? RawConnection(path: path) }
      let begun = watcher.frames.count
      try watcher.listen("the ball moves on") { watcher.frames.count > begun + 100 }
      #expect(watcher.missed == 0)
      #expect(Watcher.isGapless(watcher.track("position", of: "ball")))
      // They are refused after five seconds, and then others are served.
      #expect(try scrape(path).hasPrefix("HTTP/1.1 200"))
      #expect(try slow[1].readToEnd().hasPrefix("HTTP/1.1 408 "))
      #expect(try daemon.terminate() == .exited(0))
    }

    // Clauses: S18.6
    @Test(arguments: [
      ("GET /metrics?a=b HTTP/1.0\r\n\r\n", 200), ("HEAD /metrics HTTP/1.1\r\n\r\n", 200),
      ("POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 405), ("GET /other HTTP/1.1\r\n\r\n", 404),
      ("nonsense\r\n\r\n", 400), ("GET /metrics HTTP/2.0\r\n\r\n", 505),
      ("GET / HTTP/1.1\r\nA: \(String(repeating: "x", count: 9000))\r\n\r\n", 431),
    ])
    func `each request for metrics gets the HTTP status that fits it`(request: String, status: Int) throws {
      let (daemon, path) = try daemon()
      let connection = try RawConnection(path: path)
      connection.say(request)
      let answer = try connection.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      if request.hasPrefix("HEAD") { #expect(answer.hasSuffix("\r\n\r\n")) }
      #expect(try daemon.terminate() == .exited(0))
    }

    @Test(
      .fault(
        .processes, "motiond is killed and leaves its sockets behind", by: "SIGKILL, and starts in the same place",
        promise: "the next motiond takes the place; a second one is refused while the first runs"))
    func `the metrics socket of a killed motiond is taken over, that of a running one is not`() throws {
      let (daemon, path) = try daemon()
      #expect(try scrape(path).hasPrefix("HTTP/1.1 200"))
      daemon.process.kill()
      #expect(FileManager.default.fileExists(atPath: path))
      let next = try Daemon(in: daemon.directory, arguments: ["--metrics", "unix:\(path)"])
      #expect(try scrape(path).contains("motiond_epoch 2"))
      // A third daemon may not take it over.
      let other = try TestDirectory()
      let third = try Daemon.start(other, ["--metrics", "unix:\(path)"])
      #expect(try third.awaitEnd() == .exited(1))
      #expect(other.text(of: "log").contains("another process listens there"))
      #expect(try scrape(path).hasPrefix("HTTP/1.1 200"))
      #expect(try next.terminate() == .exited(0))
    }

    // Clauses: S18.4
    @Test func `metrics are served on a local port, and any other address is refused`() throws {
      let directory = try TestDirectory()
      // Any free port: the kernel chooses the ports of connections from another range.
      let port = UInt16.random(in: 20_000..<30_000)
      let daemon = try Daemon(in: directory, arguments: ["--metrics", "127.0.0.1:\(port)"])
      let connection = try RawConnection(port: port)
      connection.say(Self.request)
      #expect(try connection.readToEnd().contains("motiond_uptime_seconds "))
      #expect(try daemon.terminate() == .exited(0))
      let refused = try Daemon.start(directory, ["--metrics", "0.0.0.0:\(port)"], log: "refused")
      #expect(try refused.awaitEnd() == .exited(2))
      #expect(directory.text(of: "refused").contains("Give unix:/run/motiond/metrics, 127.0.0.1:9464"))
    }

    private func mode(of path: String) throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
    }

    private func threads(of daemon: Daemon) throws -> [String] {
      let tasks = "/proc/\(daemon.process.processID)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).map {
        try String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
      }
    }
  }
}
