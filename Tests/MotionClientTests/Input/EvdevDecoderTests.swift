import MotionClient
import MotionModel
import Testing

@Suite struct EvdevDecoderTests {
  /// 4096 by 4096 places on a surface of 1024 by 512 units.
  private func touchscreen(slot: Int32 = 0) throws -> EvdevDecoder {
    try EvdevDecoder(
      .touchscreen(horizontal: 0...4096, vertical: 0...4096, slot: slot), surface: SIMD2(1024, 512))
  }

  private func event(
    _ id: UInt64, _ phase: PointerEvent.Phase, _ x: Double, _ y: Double, _ time: Double
  ) -> PointerEvent {
    PointerEvent(id: id, phase, at: SIMD2(x, y), time: time)
  }

  @Test func `two fingers are followed in their slots`() throws {
    var stream = EvdevStream(time: 12.5)
    stream.contact(45)
    stream.place(x: 400, y: 800)
    stream.slot(1)
    stream.contact(46)
    stream.place(x: 4096, y: 0)
    stream.report()
    stream.time = 12.5625
    // Still slot 1: the device reports only changes.
    stream.place(y: 80)
    stream.slot(0)
    stream.place(x: 404)
    stream.report()
    stream.time = 12.625
    stream.contact(-1)
    stream.report()
    stream.time = 12.75
    stream.slot(1)
    stream.contact(-1)
    stream.report()
    var decoder = try touchscreen()
    #expect(
      decoder.steps(stream.bytes) == [
        .events([event(1, .down, 100, 100, 12.5), event(2, .down, 1024, 0, 12.5)]),
        .events([event(1, .move, 101, 100, 12.5625), event(2, .move, 1024, 10, 12.5625)]),
        .events([event(1, .up, 101, 100, 12.625)]),
        .events([event(2, .up, 1024, 10, 12.75)]),
      ])
  }

  /// The next finger on the same spot: the kernel sends no places that do not change.
  @Test func `a slot keeps its place for the next contact`() throws {
    var stream = EvdevStream()
    stream.contact(1)
    stream.place(x: 400, y: 800)
    stream.report()
    stream.contact(-1)
    stream.report()
    stream.contact(2)
    stream.report()
    var decoder = try touchscreen()
    #expect(
      decoder.events(stream.bytes) == [
        event(1, .down, 100, 100, 0), event(1, .up, 100, 100, 0), event(2, .down, 100, 100, 0),
      ])
  }

  @Test func `places beyond the edge are moved to the edge`() throws {
    var stream = EvdevStream()
    stream.contact(1)
    stream.place(x: 4090, y: 0)
    stream.report()
    stream.place(x: 5000)
    stream.report()
    stream.place(x: 6000)
    stream.report()
    var decoder = try touchscreen()
    #expect(
      decoder.events(stream.bytes) == [event(1, .down, 1022.5, 0, 0), event(1, .move, 1024, 0, 0)],
      "at the edge it stands")
  }

  @Test func `a contact that replaces another causes an up and a down`() throws {
    var stream = EvdevStream()
    stream.contact(7)
    stream.place(x: 0, y: 0)
    stream.report()
    stream.contact(8)
    stream.place(x: 4096)
    stream.report()
    var decoder = try touchscreen()
    #expect(
      decoder.events(stream.bytes) == [event(1, .down, 0, 0, 0), event(1, .up, 0, 0, 0), event(2, .down, 1024, 0, 0)])
  }

  @Test func `the decoder starts at the device's current slot`() throws {
    var stream = EvdevStream()
    stream.contact(7)
    stream.report()
    stream.slot(0)
    stream.contact(8)
    stream.report()
    var decoder = try touchscreen(slot: 3)
    #expect(decoder.events(stream.bytes).map(\.phase) == [.down, .down], "in the slots 3 and 0")
  }

  @Test func `fingers that were down before are ignored`() throws {
    var stream = EvdevStream()
    stream.place(x: 40)
    stream.report()
    stream.contact(-1)
    stream.report()
    var decoder = try touchscreen()
    #expect(decoder.steps(stream.bytes) == [])
  }

  @Test func `lost events cancel all pointers`() throws {
    var stream = EvdevStream()
    stream.contact(1)
    stream.place(x: 400, y: 800)
    stream.report()
    stream.place(x: 404)
    stream.dropped()
    // A fragment: neither this nor its report counts.
    stream.contact(2)
    stream.place(x: 4000)
    stream.report()
    // The finger that is still down has no known contact.
    stream.place(x: 800)
    stream.report()
    var decoder = try touchscreen()
    #expect(
      decoder.steps(stream.bytes) == [
        .events([event(1, .down, 100, 100, 0)]), .events([event(1, .cancel, 100, 100, 0)]), .dropped,
      ])
    // In the meantime the device has moved on to slot 2.
    decoder.resume(atSlot: 2)
    var rest = EvdevStream()
    rest.contact(3)
    rest.place(x: 0, y: 0)
    rest.slot(0)
    rest.contact(4)
    rest.report()
    #expect(decoder.events(rest.bytes).map(\.phase) == [.down, .down])
    var nothing = try touchscreen()
    var lost = EvdevStream()
    lost.dropped()
    #expect(nothing.steps(lost.bytes) == [.dropped])
  }

  @Test func aDeviceThatIsGoneCancelsItsPointers() throws {
    var stream = EvdevStream()
    stream.contact(1)
    stream.place(x: 400, y: 800)
    stream.report()
    var decoder = try touchscreen()
    _ = decoder.events(stream.bytes)
    #expect(decoder.finish(at: 3) == [event(1, .cancel, 100, 100, 3)])
    #expect(decoder.finish(at: 4) == [])
  }

  @Test func aMouseIsAPointerWhileItsButtonIsDown() throws {
    var stream = EvdevStream()
    stream.way(x: 10, y: -20)
    stream.report()
    stream.way(x: 1)
    stream.button(1)
    stream.report()
    stream.time = 0.125
    stream.way(x: 5, y: 5)
    stream.report()
    stream.button(2)
    stream.report()
    stream.way(x: 2000)
    stream.report()
    stream.way(x: -24)
    stream.button(0)
    stream.report()
    stream.way(x: -1)
    stream.report()
    var decoder = try EvdevDecoder(.mouse, surface: SIMD2(1000, 500))
    #expect(
      decoder.events(stream.bytes) == [
        event(0, .down, 511, 230, 0), event(0, .move, 516, 235, 0.125), event(0, .move, 1000, 235, 0.125),
        event(0, .move, 976, 235, 0.125), event(0, .up, 976, 235, 0.125),
      ])
  }

  @Test func `lost events cancel a mouse's pointer until its next press`() throws {
    var stream = EvdevStream()
    stream.button(1)
    stream.report()
    stream.dropped()
    stream.button(0)
    stream.report()
    stream.way(x: 4)
    stream.button(0)
    stream.report()
    var decoder = try EvdevDecoder(.mouse, surface: SIMD2(10, 10))
    #expect(decoder.events(stream.bytes) == [event(0, .down, 5, 5, 0), event(0, .cancel, 5, 5, 0)])
    var next = EvdevStream()
    next.button(1)
    next.report()
    #expect(decoder.events(next.bytes) == [event(0, .down, 9, 5, 0)])
  }

  @Test(arguments: [1, 2, 3, 23, 24, 25, 1000])
  func readsMayEndAnywhere(length: Int) throws {
    var stream = EvdevStream()
    for finger in 0..<5 {
      stream.slot(Int32(finger))
      stream.contact(Int32(finger))
      stream.place(x: Int32(finger * 100), y: 7)
      stream.report()
    }
    var whole = try touchscreen()
    var pieces = try touchscreen()
    var events: [PointerEvent] = []
    for start in stride(from: 0, to: stream.bytes.count, by: length) {
      events += pieces.events(stream.bytes[start..<min(start + length, stream.bytes.count)])
    }
    #expect(events.count == 5 && events == whole.events(stream.bytes))
    #expect(pieces.next() == .needsMoreBytes)
  }

  @Test(arguments: [SIMD2(-1.0, 5), SIMD2(5, .nan), SIMD2(.infinity, 1), SIMD2(1e7, 1)])
  func `an invalid surface size is refused`(size: SIMD2<Double>) {
    #expect(throws: EvdevSurfaceError.self) { try EvdevDecoder(.mouse, surface: size) }
  }

  @Test func `an axis of one place causes no division by zero`() throws {
    var decoder = try EvdevDecoder(.touchscreen(horizontal: 5...5, vertical: 0...10), surface: SIMD2(10, 10))
    var stream = EvdevStream()
    stream.contact(1)
    stream.place(x: 9, y: 20)
    stream.report()
    #expect(decoder.events(stream.bytes) == [event(1, .down, 0, 10, 0)])
  }
}
