import Faults
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing

extension DistributedTests {
  /// Levels of lamps by sACN and Art-Net, with receivers that are not ours, in a network of their own.
  @Suite(.enabled(if: LampReceiver.isPossible, "it needs a network namespace, which only root makes"))
  struct DMXTests {
    private static func patch(_ network: Namespace, more: String = "") -> String {
      """
      source "The rig" \(more)
      universe 1 sacn via=\(network.host) priority=120
      universe 2 sacn \(network.otherHost) via=\(network.host)
      lamp{1..4} dimmer 1.1
      head moving-head16 2.1
      master desk/master
      """
    }

    /// A daemon that sends a patch, given on the command line.
    private func send(_ text: String, from daemon: Daemon, named name: String = "rig") throws {
      try daemon.directory.write(text, to: "rig.patch")
      let run = try daemon.ctl(
        "add", "SendDMX", "--to", "rig", "--named", name, "patch=@\(daemon.directory["rig.patch"])")
      #expect(run.end == .exited(0), "\(run.errors)")
    }

    // Clauses: S25.1, S25.2, S25.3, S25.5, S25.7, S25.8
    @Test func `a fade reaches a receiver of sACN, by multicast and unicast, and its end, too`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("sacn", of: 1, 2, in: network)
      let daemon = try Daemon([.dmx(), .tween()])
      let client = try daemon.connect()
      try client.add(.springTo("level", 0.5), to: "lamp1")
      try client.add(.springTo("pan", 270), to: "head")
      try send(Self.patch(network), from: daemon)
      try awaitTruth("the springs are at rest") {
        try receiver.levels(of: 1)?.prefix(4) == [128, 0, 0, 0] && receiver.levels(of: 2)?.prefix(2) == [255, 255]
      }
      #expect(try receiver.levels(of: 2)?[2..<5] == [0x80, 0, 255], "the tilt in its middle, the shutter open")
      try client.add(.tween("level", to: 1, duration: .seconds(1)), to: "lamp2")
      try awaitTruth("the fade has ended") { try receiver.levels(of: 1)?.prefix(4) == [128, 255, 0, 0] }
      let fade = try receiver.changes(of: 1).map(\.levels[1])
      #expect(fade == fade.sorted() && Set(fade).count > 15, "\(fade)")
      try client.add(.springTo("master", 0.5), to: "desk")
      try awaitTruth("the master is down") { try receiver.levels(of: 1)?.prefix(4) == [64, 128, 0, 0] }

      let packets = try receiver.packets()
      #expect(Set(packets.map(\.source)) == ["The rig"] && Set(packets.map(\.identity)).count == 1)
      #expect(packets.allSatisfy { $0.synchronization == 1 && $0.priority == ($0.universe == 1 ? 120 : 100) })
      for universe in [UInt64(1), 2] {
        let numbers = packets.filter { $0.universe == universe }.map(\.sequence)
        #expect(zip(numbers, numbers.dropFirst()).dropFirst(2).allSatisfy { $1 == ($0 + 1) % 256 }, "\(universe)")
      }
      _ = try daemon.ctl("remove", "rig", "--from", "rig")
      try awaitTruth("its streams have ended") {
        try receiver.isGone(1) && receiver.isGone(2) && receiver.packets().count(where: \.isLast) == 6
      }
      let last = try receiver.packets().suffix(6)
      #expect(last.allSatisfy(\.isLast) && last.filter { $0.universe == 1 }.count == 3)
    }

    // Clauses: S25.5, S25.8
    @Test(
      .fault(
        .processes, "The worker of lamps is killed in a fade", by: "SIGKILL",
        promise: "the lamps go on within a second, from the same source; a patch that changes has no gap"))
    func `a killed worker, a start of motiond and another patch leave the source as it was`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("sacn", of: 1, 2, in: network)
      let daemon = try Daemon([.dmx(), .tween()])
      let client = try daemon.connect()
      try send(Self.patch(network), from: daemon)
      let worker = try client.awaitReady("dmx")
      try client.add(.tween("level", to: 1, duration: .seconds(3)), to: "lamp1")
      try awaitTruth("its middle") { try (receiver.levels(of: 1)?[0] ?? 0) > 80 }
      let death = BootClock.now
      kill(worker.processID, SIGKILL)
      let before = try receiver.packets().count
      try awaitTruth("it goes on") { try receiver.packets().count > before + 4 }
      FaultMeasures.measured(BootClock.now - death, "death to levels again")
      try awaitTruth("its end") { try receiver.levels(of: 1)?[0] == 255 }
      let times = try receiver.packets().filter { $0.universe == 1 }.map(\.time)
      let gap = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .infinity
      #expect(gap < 2.5, "a receiver counts it as lost after 2.5 s")

      // Another patch under the same name: nothing ends.
      try send(Self.patch(network).replacing("lamp{1..4}", with: "lamp{2..5}"), from: daemon)
      try awaitTruth("the other patch") { try receiver.levels(of: 1)?.prefix(4) == [0, 0, 0, 0] }
      #expect(try !receiver.packets().contains(where: \.isLast))

      daemon.process.kill()
      let second = try Daemon([.dmx(), .tween()], in: daemon.directory)
      let count = try receiver.packets().count
      try awaitTruth("it is sent again") { try receiver.packets().count > count + 10 }
      #expect(try Set(receiver.packets().map(\.identity)).count == 1)

      // A worker that is replaced ends nothing; motiond, when it ends orderly, does.
      let restarted = try second.ctl("plugin", "restart", "dmx")
      #expect(restarted.end == .exited(0), "\(restarted.errors)")
      let restart = try receiver.packets().count
      try awaitTruth("its successor goes on") { try receiver.packets().count > restart + 4 }
      #expect(try !receiver.packets().contains(where: \.isLast))
      #expect(try second.terminate() == .exited(0))
      try awaitTruth("the streams have ended") {
        try receiver.isGone(1) && receiver.isGone(2) && receiver.packets().count(where: \.isLast) == 6
      }
      #expect(try receiver.packets().suffix(6).allSatisfy(\.isLast))
    }

    // Clauses: S25.8
    @Test(
      .fault(
        .processes, "motiond is suspended while lamps move, so that their worker gets its plans again",
        by: "SIGSTOP for 1.5 s",
        promise: "the streams go on from the same source, and none ends"))
    func `a worker that gets its plans again ends no stream`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("sacn", of: 1, in: network)
      let daemon = try Daemon([.dmx()])
      let client = try daemon.connect()
      try client.add(.wave("level", rate: 0.5, offset: 0.5, amplitude: 0.5), to: "lamp")
      try send("universe 1 sacn via=\(network.host)\nlamp dimmer 1.1", from: daemon)
      try awaitTruth("it moves") { try receiver.changes(of: 1).count > 10 }
      kill(daemon.process.processID, SIGSTOP)
      letPass(.milliseconds(1500))
      kill(daemon.process.processID, SIGCONT)
      try awaitTruth("its plans come again") { daemon.log.contains("no messages from motiond") }
      let moved = try receiver.changes(of: 1).count
      try awaitTruth("it moves again") { try receiver.changes(of: 1).count > moved + 20 }
      #expect(try !receiver.packets().contains(where: \.isLast))
      let times = try receiver.packets().map(\.time)
      #expect((zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .infinity) < 2.5, "no receiver counts it as lost")
    }

    // Clauses: S25.5
    @Test(
      .fault(
        .processes, "Of two motiond that send one universe, the one with the higher priority is killed", by: "SIGKILL",
        promise: "the receiver shows the other one, once it takes the first for lost"))
    func `of two motiond, a receiver shows the one with the higher priority, and then the other`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("sacn", of: 1, in: network)
      func start(priority: Int, level: Double) throws -> Daemon {
        let daemon = try Daemon([.dmx()])
        try daemon.connect().add(.springTo("level", Lanes(level)), to: "lamp")
        try send("universe 1 sacn via=\(network.host) priority=\(priority)\nlamp dimmer 1.1", from: daemon)
        return daemon
      }
      let low = try start(priority: 90, level: 0.5)
      try awaitTruth("the first is shown") { try receiver.levels(of: 1)?[0] == 128 }
      let high = try start(priority: 110, level: 1)
      try awaitTruth("the higher is shown") { try receiver.levels(of: 1)?[0] == 255 }
      #expect(try Set(receiver.packets().map(\.identity)).count == 2, "two sources")
      let death = BootClock.now
      high.process.kill()
      try awaitTruth("the lower is shown again") { try receiver.levels(of: 1)?[0] == 128 }
      FaultMeasures.measured(BootClock.now - death, "death to the other source")
      _ = low
    }

    // Clauses: S25.6, S25.7
    @Test func `a node of Art-Net is found by a poll, and gets its universe alone`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("artnet", of: 0x123, in: network)
      let daemon = try Daemon([.dmx()])
      let client = try daemon.connect()
      try client.add(.springTo("level", 1), to: "lamp2")
      try send(
        """
        universe 1 artnet as=291 via=\(network.host)
        universe 2 artnet as=5 via=\(network.host)
        lamp1 dimmer 2.1
        lamp2 dimmer 1.512
        """, from: daemon)
      try awaitTruth("it shows the lamp") { try receiver.levels(of: 0x123)?[511] == 255 }
      #expect(try receiver.changes(of: 5).isEmpty)
    }

    // Clauses: S25.5, S25.6, S25.7
    @Test(.enabled(if: OpenLighting.isPossible, "it needs olad"))
    func `the daemon of Open Lighting gets a fade by sACN and Art-Net, by multicast and at its host`() throws {
      let network = try Namespace()
      let receiver = try OpenLighting(sacn: [1, 2], artnet: [3, 4], in: network)
      let daemon = try Daemon([.dmx(), .tween()])
      let client = try daemon.connect()
      try send(
        """
        universe 1 sacn via=\(network.host)
        universe 2 sacn \(network.otherHost)
        universe 3 artnet via=\(network.host)
        universe 4 artnet \(network.otherHost)
        lamp1 dimmer 1.1
        lamp2 dimmer 2.2
        lamp3 dimmer 3.3
        lamp4 dimmer 4.4
        """, from: daemon)
      var transaction = Transaction()
      for number in 1...4 {
        transaction.add(.tween("level", to: 1, duration: .seconds(2)), to: try TargetName("lamp\(number)"))
      }
      try client.commit(transaction)
      for number in 1...4 {
        func level() throws -> UInt8 { try receiver.levels(of: number).dropFirst(number - 1).first ?? 0 }
        try awaitTruth("the end of the fade in universe \(number)") { try level() == 255 }
        #expect(try receiver.levels(of: number).count { $0 > 0 } == 1)
      }
      try client.add(.springTo("level", 0.5), to: "lamp4")
      try awaitTruth("another level") { try receiver.levels(of: 4)[3] == 128 }
    }

    @Test(
      .fault(
        .time, "The wall clock jumps by days, and the boot clock by an hour, in a fade of lamps",
        by: "a clock_gettime of ours (LD_PRELOAD) for motiond and its workers",
        promise: "levels go on in sequence, at most a second later, and are not sent in a burst"))
    func `clocks that jump leave the stream of levels as it is`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("sacn", of: 1, in: network)
      let clocks = try ShiftedClocks()
      let daemon = try Daemon([clocks.plugin(.dmx())], environment: clocks.environment)
      try send("universe 1 sacn via=\(network.host)\nlamp dimmer 1.1", from: daemon)
      let client = try daemon.connect()
      _ = try client.awaitReady("dmx")
      try client.add(WaveIntention("level", rate: 0.5, offset: [0.5], amplitude: [0.5]).intention, to: "lamp")
      func awaitLevels() throws {
        let count = try receiver.changes(of: 1).count
        try awaitTruth("levels change") { try receiver.changes(of: 1).count > count + 20 }
      }
      try awaitLevels()
      for days in [2.0, -3, 0] {
        try clocks.set(wall: .seconds(days * 86_400))
        try awaitLevels()
      }
      for hours in [1.0, 30] {
        try clocks.set(boot: .seconds(hours * 3600))
        try awaitLevels()
      }
      let packets = try receiver.packets()
      let numbers = packets.map(\.sequence)
      #expect(zip(numbers, numbers.dropFirst()).dropFirst(2).allSatisfy { $1 == ($0 + 1) % 256 })
      #expect(Set(packets.map(\.identity)).count == 1 && !packets.contains(where: \.isLast))
      let gap = zip(packets, packets.dropFirst()).map { $1.time - $0.time }.max() ?? .infinity
      #expect(gap < 2.5, "a receiver counts it as lost after 2.5 s")
      let duration = (packets.last?.time ?? 0) - (packets.first?.time ?? 0)
      #expect(Double(packets.count) < 10 + 44 * duration)
    }

    // Clauses: S25.5, S25.6, S25.7, S25.8
    @Test(.enabled(if: Capture.isPossible, "it needs dumpcap and tshark"))
    func `Wireshark finds nothing wrong with any packet, and each frame is followed by what shows it`() throws {
      let network = try Namespace()
      let capture = try Capture(of: network)
      let daemon = try Daemon([.dmx(), .tween()])
      let client = try daemon.connect()
      try send(
        """
        universe 1 sacn via=\(network.host)
        universe 2 sacn via=\(network.host)
        universe 3 sacn \(network.otherHost) via=\(network.host)
        universe 4 artnet \(network.otherHost) as=4 via=\(network.host)
        universe 5 artnet \(network.otherHost) as=5 via=\(network.host)
        universe 6 artnet as=6 via=\(network.host)
        lamp1 dimmer 1.1
        lamp2 dimmer 2.1
        lamp3 dimmer 3.1
        lamp4 dimmer 4.1
        lamp5 dimmer 5.1
        """, from: daemon)
      _ = try client.awaitReady("dmx")
      var transaction = Transaction()
      for number in 1...5 {
        transaction.add(.tween("level", to: 1, duration: .seconds(1)), to: try TargetName("lamp\(number)"))
      }
      try client.commit(transaction)
      try awaitTruth("the fade has ended") {
        try client.properties().count { $0.reference.property == "level" && $0.state.value == 1 } == 5
      }
      #expect(try daemon.terminate() == .exited(0))
      try capture.end()

      let ours = "!icmp && (udp.port == 5568 || udp.port == 6454) && ip.src == \(network.host)"
      let wrong = try capture.fields(
        "frame.number", "_ws.expert.message", of: "\(ours) && (_ws.malformed || _ws.expert)"
      ).filter { fields in
        // Said of thirty source ports, which the kernel gives to any sender.
        !fields[1].replacing(/Possible traceroute: hop #\d+, attempt #\d+/, with: "").allSatisfy { $0 == "," }
          || fields[1].isEmpty
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(3))")
      let packets = try capture.fields(
        "frame.time_epoch", "udp.length", "acn.dmx.universe", "acn.dmx.seq_number", "acn.dmx.options",
        "artnet.header.opcode", "artnet.output.universe", of: ours)
      let data = packets.filter { $0[2] != "" && $0[1] == "646" }
      #expect(Set(data.map { $0[2] }) == ["1", "2", "3"] && data.count > 60)
      #expect(data.filter { $0[4] != "0" }.map { $0[2] } == ["1", "1", "1", "2", "2", "2", "3", "3", "3"], "the end")
      let lamps = packets.filter { $0[6] != "" }
      #expect(Set(lamps.map { $0[6] }) == ["4", "5"] && lamps.count > 40)
      // 41 bytes of ACN behind 8 of UDP: a synchronization; it follows all changed universes, which leave together.
      let synchronizations = packets.indices.filter { packets[$0][1] == "57" }
      #expect(synchronizations.count > 30)
      var spread = 0.0
      for (number, index) in synchronizations.enumerated() where number > 0 {
        let frame = packets[synchronizations[number - 1] + 1..<index].filter { $0[2] != "" && $0[1] == "646" }
        guard let first = frame.first.flatMap({ Double($0[0]) }), let last = Double(packets[index][0]) else { continue }
        #expect(Set(frame.map { $0[2] }).count == frame.count, "each universe once in a frame")
        spread = max(spread, last - first)
      }
      print("DMX: a frame of three universes leaves within \(spread * 1000) ms")
      #expect(packets.contains { $0[5] == "0x5200" } && packets.contains { $0[5] == "0x2000" })
    }

    // Clauses: S25.9
    @Test(
      .fault(
        .network, "Of the receivers of lamps one is dead, and one has no address", by: "hosts that are not there",
        promise: "the others get their levels at once; the log says which are missing"))
    func `a receiver that is dead and one without an address delay no other`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("sacn", of: 1, in: network)
      let daemon = try Daemon([.dmx()])
      let client = try daemon.connect()
      try send(
        """
        universe 1 sacn \(network.otherHost)
        universe 2 sacn 198.51.100.77
        universe 3 sacn nowhere.invalid
        lamp1 dimmer 1.1
        lamp2 dimmer 2.1
        lamp3 dimmer 3.1
        """, from: daemon)
      try client.add(.springTo("level", 1), to: "lamp1")
      try awaitTruth("the one that lives shows it") { try receiver.levels(of: 1)?[0] == 255 }
      try awaitTruth("the other is reported") { daemon.log.contains("nowhere.invalid") }
    }

    // Clauses: S25.4, S25.8
    @Test func `a mistake in a patch is refused with its line, and a universe has one plan`() throws {
      let daemon = try Daemon([.dmx()])
      try daemon.directory.write("universe 1 sacn\nlamp1 rgb 1.1\nlamp2 dimmer 1.3\n", to: "wrong.patch")
      let run = try daemon.ctl("add", "SendDMX", "--to", "rig", "patch=@\(daemon.directory["wrong.patch"])")
      #expect(run.end == .exited(4) || run.end == .exited(2))
      #expect(run.errors.contains("line 3: lamp2 and lamp1 of line 2 overlap in 1.3"), "\(run.errors)")
      let missing = try daemon.ctl("add", "SendDMX", "--to", "rig", "patch=@\(daemon.directory["none.patch"])")
      #expect(missing.end == .exited(1) && missing.errors.contains("none.patch: No such file"), "\(missing.errors)")
      try daemon.directory.write(String(repeating: "# a comment\n", count: 7000), to: "big.patch")
      let big = try daemon.ctl("add", "SendDMX", "--to", "rig", "patch=@\(daemon.directory["big.patch"])")
      #expect(big.errors.contains("has more than 64 KiB") && !big.errors.contains("Failure("), "\(big.errors)")
      try send("universe 9 sacn 127.0.0.1 via=192.0.2.77\nlamp9 dimmer 9.1", from: daemon, named: "stranger")
      try awaitTruth("the address is reported") { daemon.log.contains("does not have the address 192.0.2.77") }
      try send("universe 1 sacn 127.0.0.1\nlamp1 dimmer 1.1", from: daemon)
      try send("universe 7 sacn 127.0.0.1 as=1\nlamp1 dimmer 7.1", from: daemon, named: "other")
      try awaitTruth("the second has failed") {
        try daemon.connect().intentions(of: "rig").contains { $0.state == .failed && $0.reason.contains("universe 7") }
      }
    }
  }
}
