import Glibc
import MotionClient
import MotionModel
import Testing

/// Bytes that no device writes: no trap, and consistent events all the same.
@Suite struct HostileEvdevTests {
  @Test(arguments: [
    EvdevDevice.mouse, .touchscreen(horizontal: 0...4096, vertical: -100...100),
    .touchscreen(horizontal: .min ... .max, vertical: 0...0, slot: .min),
  ])
  func randomBytesGiveSensibleEvents(device: EvdevDevice) throws {
    let given = getenv("MOTION_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("randomBytesGiveSensibleEvents: MOTION_TEST_SEED=\(seed)")
    var state = seed
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    var decoder = try EvdevDecoder(device, surface: SIMD2(640, 480))
    var down: Set<UInt64> = []
    for _ in 0..<2000 {
      var stream = EvdevStream(time: Double(next() % 100))
      for _ in 0..<next() % 20 {
        // Mostly records that a device could send, with values that it would not send.
        let codes: [(UInt16, UInt16)] = [(0, 0), (0, 3), (1, 0x110), (2, 0), (2, 1), (3, 0x2F), (3, 0x35), (3, 0x39)]
        let (type, code) = codes[Int(next() % 8)]
        let values: [Int32] = [0, 1, -1, 2, 63, 64, 5000, .min, .max, Int32(truncatingIfNeeded: next())]
        stream.record(type, next() % 20 == 0 ? UInt16(next() % 65536) : code, values[Int(next() % 10)])
      }
      // Whole records, or noise that shifts all that follows.
      let noise = next() % 50 == 0 ? (0..<next() % 40).map { _ in UInt8(next() % 256) } : []
      for event in decoder.events(stream.bytes + noise) {
        #expect(event.isWellFormed && (0...640).contains(event.location.x) && (0...480).contains(event.location.y))
        switch event.phase {
        case .down: #expect(down.insert(event.id).inserted)
        case .move: #expect(down.contains(event.id))
        case .up, .cancel: #expect(down.remove(event.id) != nil)
        }
        #expect(down.count <= 64)
      }
    }
    for event in decoder.finish(at: 0) { down.remove(event.id) }
    #expect(down.isEmpty)
  }
}
