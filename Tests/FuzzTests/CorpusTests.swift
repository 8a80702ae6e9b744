import Foundation
import FuzzTargets
import Testing

/// Replays the inputs that fuzzing has found, each on the function that it was found with. The corpus of each target is
/// an archive, `Fuzzing/Corpus/TARGET.tar`.
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

  @Test func `every input of the corpora passes its target's invariants`() throws {
    for target in try FuzzTarget.all() {
      let inputs = try Self.inputs(of: target.name)
      #expect(inputs.count >= 3, "\(target.name) has next to nothing to begin with")
      for (name, bytes) in inputs {
        #expect(throws: Never.self, "\(target.name): \(name)") { try target.run(bytes) }
      }
    }
  }

  /// A corpus without a target is never replayed.
  @Test func everyCorpusHasATarget() throws {
    let archives = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
    #expect(Set(archives) == Set(try FuzzTarget.all().map { "\($0.name).tar" }))
  }

  /// The files of a corpus, unpacked into a directory that is removed again.
  private static func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
    let unpacked = FileManager.default.temporaryDirectory.appending(path: "motion-corpus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: unpacked, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: unpacked) }
    let tar = Process()
    tar.executableURL = URL(filePath: "/usr/bin/tar")
    tar.arguments = ["-xf", folder.appending(path: "\(target).tar").path, "-C", unpacked.path]
    try tar.run()
    tar.waitUntilExit()
    try #require(tar.terminationStatus == 0, "the corpus of \(target) cannot be unpacked")
    return try FileManager.default.contentsOfDirectory(at: unpacked, includingPropertiesForKeys: nil).map {
      ($0.lastPathComponent, Array(try Data(contentsOf: $0)))
    }
  }
}
