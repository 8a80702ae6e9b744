import MotionModel
import MotionTestKit
import Testing

@testable import MotionExecutors

/// When universes are sent.
struct DMXPostTests {
  private let source = SACNPacket.Source(identity: Array(1...16), name: "Rack")
  private let dark = [UInt8](repeating: 0, count: 512)

  private func open(_ post: inout DMXPost, _ text: String) throws -> DMXPost.Line {
    let patch = try DMXPatch(text)
    return try post.open(patch, from: source, patch.universes.map { _ in dark }).get()
  }

  /// The packets until a time, each with the time of its departure.
  private func run(_ post: inout DMXPost, to end: Double) -> [(time: Double, packet: DMXPost.Packet)] {
    var sent: [(time: Double, packet: DMXPost.Packet)] = []
    while post.nextDeadline <= end {
      let now = post.nextDeadline.isFinite ? post.nextDeadline : 0
      let time = max(now, sent.last?.time ?? 0)
      sent += post.turn(at: time).map { (time, $0) }
    }
    return sent
  }

  private func isData(_ packet: DMXPost.Packet) -> Bool {
    packet.carrier == .sacn ? packet.bytes.count == 638 : packet.bytes.count == 530
  }

  // Clauses: S25.5, S25.7
  @Test func `what does not change is sent three times, and then within a second, and listed each ten`() throws {
    var post = DMXPost()
    _ = try open(&post, "universe 1 sacn")
    let sent = post.turn(at: 100).map { (time: 100.0, packet: $0) } + run(&post, to: 121)
    let data = sent.filter { isData($0.packet) }.map(\.time)
    let pauses = zip(data, data.dropFirst()).map { $1 - $0 }
    #expect(pauses.prefix(2).allSatisfy { abs($0 - 1 / 44) < 1e-9 })
    #expect(pauses.dropFirst(2).allSatisfy { (0.8...1).contains($0) } && pauses.count > 20)
    let lists = sent.filter { $0.packet.destination == .multicast(64_214) }.map(\.time)
    #expect(lists == [100, 110, 120])
    #expect(
      sent.allSatisfy { $0.packet.bytes[109] == 0 || $0.packet.bytes.count < 638 }, "one universe is shown at once")
  }

  // Clauses: S25.5
  @Test func `the list of universes is that of all patches of an identity`() throws {
    var post = DMXPost()
    _ = try open(&post, "universe 7 sacn\nuniverse 1 sacn")
    let patch = try DMXPatch("universe 3 sacn")
    _ = try post.open(patch, from: .init(identity: source.identity, name: "Back rack"), [dark]).get()
    _ = try post.open(DMXPatch("universe 4 sacn"), from: .init(identity: Array(17...32), name: "Other"), [dark]).get()
    let lists = post.turn(at: 0).filter { $0.destination == .multicast(64_214) }.map(\.bytes)
    let listed = lists.map { bytes in
      stride(from: 120, to: bytes.count, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    }
    #expect(listed.sorted { $0.count < $1.count } == [[4], [1, 3, 7]])
    #expect(Set(lists.map { Array($0[22..<38]) }).count == 2)
  }

  // Clauses: S25.7
  @Test func `changed universes leave together with a packet that shows them, at most at the rate`() throws {
    var post = DMXPost()
    let line = try open(&post, "universe 1 sacn\nuniverse 2 sacn\nuniverse 3 sacn 10.0.0.7\nrate 40")
    _ = post.turn(at: 0)
    _ = run(&post, to: 0.5)
    var times: [Double] = []
    var time = 0.5
    // 120 frames a second.
    while time < 1.5 {
      post.show(line, universe: 0, dark)
      post.show(line, universe: 2, dark)
      for now in [time, time + 1 / 240] where post.nextDeadline <= now {
        let packets = post.turn(at: now).filter { $0.destination != .multicast(64_214) }
        guard !packets.isEmpty else { continue }
        times.append(now)
        let data = packets.filter(isData)
        #expect(packets.count == data.count + 2 && packets.suffix(2).allSatisfy { $0.bytes.count == 49 })
        #expect(Set(packets.suffix(2).map(\.destination)) == [.multicast(1), .host("10.0.0.7")])
        #expect(data.allSatisfy { $0.bytes[110] == 1 })
      }
      time += 1 / 120
    }
    #expect((38...41).contains(times.count), "\(times.count)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.016 })
  }

  // Clauses: S25.5
  @Test func `each universe has a sequence of its own, which begins so that it fits whatever was before`() throws {
    var post = DMXPost()
    let line = try open(&post, "universe 1 sacn\nuniverse 2 sacn")
    var numbers: [Int: [UInt8]] = [:]
    for frame in 0..<600 {
      if frame % 2 == 0 { post.show(line, universe: 0, dark) }
      for packet in post.turn(at: Double(frame) / 30) where isData(packet) {
        numbers[Int(packet.bytes[114]), default: []].append(packet.bytes[111])
      }
    }
    for (universe, sequence) in numbers {
      #expect(zip(sequence, sequence.dropFirst()).dropFirst(2).allSatisfy { $1 == $0 &+ 1 }, "universe \(universe)")
      // A receiver rejects what is up to 20 before the last (ANSI E1.31, section 6.7.2).
      for last in UInt8.min...UInt8.max {
        var (now, dropped) = (last, 0)
        for number in sequence.prefix(40) {
          let difference = Int8(bitPattern: number &- now)
          if difference <= 0, difference > -20 { dropped += 1 } else { now = number }
        }
        #expect(dropped <= 1, "after \(last)")
      }
    }
    #expect(numbers[1]?.count ?? 0 > 2 * (numbers[2]?.count ?? 0))
  }

  // Clauses: S25.8
  @Test func `a patch that is removed ends its streams, unless another one takes its universes over`() throws {
    var post = DMXPost()
    let first = try open(&post, "universe 1 sacn\nuniverse 2 artnet 10.0.0.9")
    _ = post.turn(at: 0)
    _ = run(&post, to: 0.4)
    post.close(first, at: 0.5)
    let second = try open(&post, "universe 5 sacn as=1")
    let goesOn = run(&post, to: 2).filter { isData($0.packet) }
    #expect(goesOn.allSatisfy { $0.packet.carrier == .sacn && $0.packet.bytes[112] == 0 } && goesOn.count > 3)
    post.close(second, at: 2)
    let last = run(&post, to: 3).filter { isData($0.packet) }
    #expect(last.count == 3 && last.allSatisfy { $0.packet.bytes[112] == 0x40 && $0.time == 2 + DMXPost.grace })
    #expect(post.isEmpty && post.nextDeadline == .infinity)
  }

  // Clauses: S25.7, S25.8
  @Test func `a patch that no executor shows is sent on until it is opened again, at most for a while`() throws {
    var post = DMXPost()
    let first = try open(&post, "universe 1 sacn\nuniverse 2 sacn")
    _ = post.turn(at: 0)
    _ = run(&post, to: 0.4)
    post.leave(first, at: 0.5)
    let meanwhile = run(&post, to: 4).filter { isData($0.packet) }
    #expect(meanwhile.count == 8 && meanwhile.allSatisfy { $0.packet.bytes[112] == 0 }, "each again each 0.9 s")
    let second = try open(&post, "universe 1 sacn")
    // The other universe ends when its time has come.
    let later = run(&post, to: 7).filter { isData($0.packet) }
    let last = later.filter { $0.packet.bytes[112] == 0x40 }
    #expect(
      last.count == 3 && last.allSatisfy { $0.time == 0.5 + DMXPost.timeout && $0.packet.destination == .multicast(2) }
    )
    post.leave(second, at: 7)
    #expect(post.endAll().count == 3 && post.isEmpty)
    let third = try open(&post, "universe 1 sacn")
    post.leave(third, at: 8)
    #expect(
      run(&post, to: 14).filter { isData($0.packet) && $0.packet.bytes[112] == 0x40 }.map(\.time) == [13, 13, 13])
    #expect(post.isEmpty && post.nextDeadline == .infinity)
  }

  // Clauses: S25.8
  @Test func `where another patch sends a universe to other hosts, its stream ends at the former ones`() throws {
    var post = DMXPost()
    let first = try open(&post, "universe 1 sacn 10.0.0.7,10.0.0.8\nuniverse 2 sacn")
    _ = post.turn(at: 0)
    _ = run(&post, to: 0.4)
    post.close(first, at: 0.5)
    let second = try open(&post, "universe 1 sacn 10.0.0.8\nuniverse 2 sacn 10.0.0.9")
    let sent = run(&post, to: 2).filter { isData($0.packet) }
    let last = sent.filter { $0.packet.bytes[112] == 0x40 }
    #expect(last.count == 6 && Set(last.map(\.packet.destination)) == [.host("10.0.0.7"), .multicast(2)])
    #expect(sent.contains { $0.time > 1.5 && $0.packet.destination == .host("10.0.0.9") })
    post.close(second, at: 2)
    #expect(run(&post, to: 3).filter { $0.packet.bytes[112] == 0x40 && isData($0.packet) }.count == 6)
  }

  // Clauses: S25.8
  @Test func `a universe is sent by one patch, and all end when the process does`() throws {
    var post = DMXPost()
    _ = try open(&post, "universe 1 sacn\nuniverse 2 sacn")
    let taken = #expect(throws: DMXPost.Taken.self) { try open(&post, "universe 7 artnet\nuniverse 8 sacn as=2") }
    #expect(taken?.universe.number == 8)
    for text in ["universe 1 sacn via=10.0.0.1", "universe 5 sacn 10.0.0.7 as=1 via=10.0.0.1"] {
      #expect(throws: DMXPost.Taken.self) { try open(&post, text) }
    }
    _ = try open(&post, "universe 7 artnet as=2")
    // Other nodes may have the same Port-Address.
    let first = try open(&post, "universe 1 artnet 10.0.0.7 as=0\nuniverse 2 artnet 10.0.0.8 as=0")
    _ = try open(&post, "universe 3 artnet 10.0.0.9 as=0")
    #expect(throws: DMXPost.Taken.self) { try open(&post, "universe 3 artnet 10.0.0.8 as=0") }
    post.close(first, at: 0)
    _ = try open(&post, "universe 3 artnet 10.0.0.8 as=0")
    let last = post.endAll()
    #expect(last.count == 6 && last.allSatisfy { $0.carrier == .sacn && $0.bytes[112] == 0x40 })
    #expect(post.isEmpty)
  }

  // Clauses: S25.6, S25.7
  @Test func `Art-Net goes to nodes that answer a poll or to stated hosts, and is shown by a broadcast`() throws {
    var post = DMXPost()
    let line = try open(&post, "universe 1 artnet as=0 via=10.0.0.1\nuniverse 2 artnet 10.0.0.9 via=10.0.0.1")
    let first = post.turn(at: 0)
    #expect(first.map(\.destination) == [.nodes(0), .host("10.0.0.9"), .broadcast, .broadcast])
    #expect(first[2].bytes == ArtNetPacket.synchronization && first[3].bytes == ArtNetPacket.poll)
    #expect(first.allSatisfy { $0.via == "10.0.0.1" })
    let polls = run(&post, to: 30).filter { $0.packet.bytes == ArtNetPacket.poll }.map(\.time)
    #expect(zip(polls, polls.dropFirst()).allSatisfy { (2.5...3).contains($1 - $0) } && polls.count > 9)
    for number in 0..<600 {
      post.show(line, universe: 0, dark)
      for packet in post.turn(at: 40 + Double(number) / 40) where isData(packet) {
        #expect(packet.bytes[12] != 0, "0 would say that there is no sequence")
      }
    }
  }
}
