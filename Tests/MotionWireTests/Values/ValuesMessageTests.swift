import MotionModel
import MotionTestKit
import Testing

@testable import MotionWire

/// The bytes written from columns are identical to those of the generated code for the same values, and can be decoded.
struct ValuesMessageTests {
  /// Random properties, some of them removed, some of them late, and slots in any order; or a run of properties of one
  /// lane each, as a thousand similar ones give.
  private struct World {
    var columns = PropertyColumns()
    var slots: [UInt32] = []
    var late: Set<Int> = []
    var forgotten: [PropertyHandle] = []

    init(_ generator: inout Generator) {
      let count = generator.int(0...60)
      let isRun = generator.int(0...2) == 0
      // Handles of every length in base 128.
      let first = max(1, UInt32(truncatingIfNeeded: generator.number()) >> UInt32(generator.int(0...31)))
      for row in 0..<count {
        let lanes = Lanes(
          SIMD4(generator.double(), generator.double(), generator.double(), generator.double()),
          count: isRun || generator.flag() ? 1 : generator.int(1...4))
        let handle = max(1, isRun ? first &+ UInt32(row) : UInt32(truncatingIfNeeded: generator.number()))
        columns.occupy(row, by: PropertyHandle(handle), at: lanes)
        _ = columns.move(row, to: lanes.storage, SIMD4(repeating: generator.double()))
        if !isRun, generator.int(0...9) == 0 { late.insert(row) }
        if isRun || generator.int(0...3) > 0 { slots.append(UInt32(row)) }
      }
      if !isRun, generator.flag() { slots.reverse() }
      let gone = generator.flag() ? 0 : generator.int(0...(isRun ? min(1, count) : count))
      for row in 0..<gone { columns.vacate(row) }
      forgotten = (0..<(generator.flag() ? 0 : generator.int(0...9))).map { _ in PropertyHandle(generator.short()) }
    }

    /// The same values, one by one.
    func values(_ frame: Frame, isComplete: Bool, hasVelocities: Bool) -> Values {
      var values = Values(frame: frame.number, time: frame.time, dt: frame.dt, isComplete: isComplete)
      values.forgotten = forgotten
      for slot in slots.map({ Int($0) }) where columns.rows[slot].isOccupied {
        let row = columns.rows[slot]
        values.handles.append(PropertyHandle(row.handle))
        values.counts.append(UInt8(row.lanes))
        for lane in 0..<row.lanes {
          values.lanes.append(columns.value(slot)[lane])
          if hasVelocities { values.velocities.append(columns.velocity(slot)[lane]) }
        }
        if late.contains(slot) { values.late.append(PropertyHandle(row.handle)) }
      }
      return values
    }
  }

  private func bytes(of message: ValuesMessage) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: message.count) { buffer, count in
      message.write(to: UnsafeMutableRawBufferPointer(buffer))
      count = message.count
    }
  }

  @Test func `the bytes equal the generated code's, and decode to the same values`() throws {
    var generator = Generator()
    var lengthsOfRuns: Set<Int> = []
    for _ in 0..<SeededRandom.rounds(2000) {
      let world = World(&generator)
      let (isComplete, hasVelocities) = (generator.flag(), generator.flag())
      let frame = Frame(number: generator.number(), time: generator.seconds(), dt: generator.seconds())
      var envelope = Envelope(
        epoch: generator.number(), sequence: generator.number(), sent: max(1, generator.number()),
        .values(world.values(frame, isComplete: isComplete, hasVelocities: hasVelocities)))
      var packer = ValuesPacker(
        world.slots[...], of: world.columns, forgotten: world.forgotten, late: world.late,
        hasVelocities: hasVelocities, limit: 1 << 20)
      let part = packer.next() ?? ValuesPart()
      if part.firstOfRun != nil { lengthsOfRuns.insert(part.bytesOfHandle) }
      let message = ValuesMessage(
        part, of: packer, topic: Topic.subscription("v/"),
        .init(epoch: envelope.epoch, sequence: envelope.sequence, sent: envelope.sent), frame: frame,
        isComplete: isComplete, number: 0, hasMore: false)
      let written = bytes(of: message)
      try #require(written == Topic.frame("v/", envelope))
      #expect(try Envelope(decoding: Array(Topic.split(written).message)) == envelope)
      #expect(packer.next() == nil)
      // A resent message differs only in the time of sending.
      envelope.sent = generator.word() | 1
      var again = written
      again.withUnsafeMutableBytes {
        $0.storeBytes(of: envelope.sent.littleEndian, toByteOffset: message.sentOffset, as: UInt64.self)
      }
      #expect(again == Topic.frame("v/", envelope))
    }
    #expect(lengthsOfRuns == [1, 2, 3, 4, 5])
  }

  @Test func `the time of sending is encoded even if it is 0`() throws {
    let message = ValuesMessage(
      ValuesPart(), of: ValuesPacker([], of: PropertyColumns(), hasVelocities: false, limit: 100), topic: [],
      .init(epoch: 0, sequence: 0, sent: 0), frame: Frame(number: 0, time: 0, dt: 0), isComplete: true, number: 0,
      hasMore: false)
    let envelope = Envelope(.values(Values(frame: 0, time: 0, dt: 0, isComplete: true)))
    #expect(try Envelope(decoding: bytes(of: message)) == envelope)
    #expect(message.count == envelope.encoded().count + 9)
  }

  @Test func `parts contain all values once and in order, within the limit, and their number`() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(500) {
      let world = World(&generator)
      let frame = Frame(number: 1, time: 2, dt: 3)
      let limit = generator.int(1...400)
      let hasVelocities = generator.flag()
      var packer = ValuesPacker(
        world.slots[...], of: world.columns, forgotten: world.forgotten, late: world.late,
        hasVelocities: hasVelocities, limit: limit)
      var whole = Values(frame: 1, time: 2, dt: 3)
      var (next, number) = (packer.next(), UInt32(0))
      while let part = next {
        next = packer.next()
        let message = ValuesMessage(
          part, of: packer, topic: [], .init(epoch: 1, sequence: 1, sent: 1), frame: frame, isComplete: false,
          number: number, hasMore: next != nil)
        guard case .values(let values) = try Envelope(decoding: bytes(of: message)).body else {
          Issue.record("no values")
          return
        }
        // The head and the lengths take less than 60 bytes; one property may be longer than the bound.
        #expect(message.count <= limit + 60 || values.handles.count + values.forgotten.count == 1)
        #expect(values.part == number && values.hasMore == (next != nil))
        whole.handles += values.handles
        whole.counts += values.counts
        whole.lanes += values.lanes
        whole.velocities += values.velocities
        whole.late += values.late
        whole.forgotten += values.forgotten
        number += 1
      }
      #expect(whole == world.values(frame, isComplete: false, hasVelocities: hasVelocities))
    }
  }
}
