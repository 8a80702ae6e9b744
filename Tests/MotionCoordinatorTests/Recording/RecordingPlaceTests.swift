import Glibc
import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionCoordinator

struct RecordingPlaceTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/show.motion"
  }

  private func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    _ = Glibc.write(file, bytes, bytes.count)
  }

  private func record(_ text: String) throws -> String? {
    let place = try RecordingPlace(path)
    defer { close(place.descriptor) }
    let bytes = Self.recording(text)
    #expect(Glibc.write(place.descriptor, bytes, bytes.count) == bytes.count)
    return place.kept
  }

  /// A recording of format 1 or, if the text is longer, of the present one.
  private static func recording(_ text: String) -> [UInt8] {
    var encoder = RecordingEncoder(RecordingHeader(ratePerSecond: 120, plugins: []), at: 0)
    return (text.count < 4 ? Array("MOTIONR".utf8) + [1] : Array(encoder.take().prefix(100))) + Array(text.utf8)
  }

  private func reason(_ body: () throws -> Void) -> String? {
    #expect(throws: StartError.self, performing: body)?.problem
  }

  @Test func `an existing recording is kept under the next free name`() throws {
    #expect(try record("one") == nil)
    #expect(try record("two") == "\(path).1")
    #expect(try record("three") == "\(path).2")
    for (file, text) in [(path, "three"), ("\(path).1", "one"), ("\(path).2", "two")] {
      #expect(try FileBytes.read(file, limit: 1000) == Self.recording(text))
    }
  }

  @Test func `an empty file can be recorded into, and any other file is not changed`() throws {
    write([], to: path)
    try RecordingPlace.check(path)
    #expect(try record("one") == nil)
    // A file in the format MCAP may be of another program.
    for bytes in [Array("dear diary".utf8), [0x89] + Array("MCAP0\r\n\u{1}".utf8) + [UInt8](repeating: 0, count: 100)] {
      write(bytes, to: path)
      for attempt in [{ _ = try RecordingPlace(path) }, { try RecordingPlace.check(path) }] {
        #expect(reason(attempt)?.contains("is not a recording") == true)
      }
      #expect(try FileBytes.read(path, limit: 1000) == bytes)
    }
  }

  @Test func `a recording into a file that another motiond uses is refused`() throws {
    let first = try RecordingPlace(path)
    #expect(reason { _ = try RecordingPlace(path) }?.contains("another motiond") == true)
    close(first.descriptor)
    close(try RecordingPlace(path).descriptor)
  }

  @Test func `a path that is not a file is refused at once, also a pipe without a reader`() throws {
    #expect(mkfifo("\(path).pipe", 0o600) == 0)
    for (place, part) in [(folder.path, "directory"), ("\(path).pipe", "without a reader"), ("\(path)/x", "No such")] {
      for attempt in [{ _ = try RecordingPlace(place) }, { try RecordingPlace.check(place) }] {
        #expect(reason(attempt)?.contains(part) == true, "\(place)")
      }
    }
  }
}
