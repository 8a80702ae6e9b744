import Glibc
import MotionClient
import MotionModel
import Testing

@Suite struct EvdevFileTests {
  private func refusal(of path: String) -> EvdevFileError? {
    do {
      _ = try EvdevFile(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a missing file and a file that is no device are refused with the reason`() throws {
    let missing = try #require(refusal(of: "/dev/input/event-none"))
    #expect(missing.code == ENOENT && missing.description.contains("cannot be opened: No such file"))
    let other = try #require(refusal(of: "/dev/null"))
    #expect(other.code == ENOTTY && other.description.hasPrefix("/dev/null cannot be identified"))
  }

  /// Through a pipe in place of a device, in pieces that end within records.
  @Test func `a device is read until it is gone`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    let device = EvdevDevice.touchscreen(horizontal: 0...4096, vertical: 0...4096)
    let file = EvdevFile(descriptor: ends[0], device: device, path: "pipe")
    var decoder = try EvdevDecoder(file.device, surface: SIMD2(1024, 512))
    #expect(try file.read() == .nothingYet)
    var stream = EvdevStream()
    stream.contact(1)
    stream.place(x: 400, y: 800)
    stream.report()
    stream.contact(-1)
    stream.report()
    var events: [PointerEvent] = []
    for start in stride(from: 0, to: stream.bytes.count, by: 17) {
      let piece = Array(stream.bytes[start..<min(start + 17, stream.bytes.count)])
      #expect(write(ends[1], piece, piece.count) == piece.count)
      guard case .bytes(let bytes) = try file.read() else { continue }
      events += decoder.events(bytes)
    }
    close(ends[1])
    #expect(try file.read() == .gone)
    #expect(events.map(\.phase) == [.down, .up] && events.allSatisfy { $0.location == SIMD2(100, 100) })
    #expect(file.slot == 0)
  }
}
