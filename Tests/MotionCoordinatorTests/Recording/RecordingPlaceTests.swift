import Glibc
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
    let bytes = RecordingFile.magic + Array(text.utf8)
    #expect(Glibc.write(place.descriptor, bytes, bytes.count) == bytes.count)
    return place.kept
  }

  private func reason(_ body: () throws -> Void) -> String? {
    #expect(throws: StartError.self, performing: body)?.problem
  }

  @Test func `an existing recording is kept under the next free name`() throws {
    #expect(try record("one") == nil)
    #expect(try record("two") == "\(path).1")
    #expect(try record("three") == "\(path).2")
    for (file, text) in [(path, "three"), ("\(path).1", "one"), ("\(path).2", "two")] {
      #expect(try FileBytes.read(file, limit: 100) == RecordingFile.magic + Array(text.utf8))
    }
  }

  @Test func `an empty file can be recorded into, and any other file is not changed`() throws {
    write([], to: path)
    try RecordingPlace.check(path)
    #expect(try record("one") == nil)
    write(Array("dear diary".utf8), to: path)
    for attempt in [{ _ = try RecordingPlace(path) }, { try RecordingPlace.check(path) }] {
      #expect(reason(attempt)?.contains("is not a recording") == true)
    }
    #expect(try FileBytes.read(path, limit: 100) == Array("dear diary".utf8))
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
