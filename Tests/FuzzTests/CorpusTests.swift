import Foundation
import FuzzTargets
import Testing

/// What fuzzers have found, tried again: every input of the corpora, on the same functions.
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

  @Test func everyInputOfTheCorporaHolds() throws {
    for target in try FuzzTarget.all() {
      let folder = Self.folder.appending(path: target.name)
      let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      #expect(inputs.count >= 3, "\(target.name) has next to nothing to begin with")
      for input in inputs {
        #expect(throws: Never.self, "\(target.name): \(input.lastPathComponent)") {
          try target.run(Array(Data(contentsOf: input)))
        }
      }
    }
  }

  /// A corpus that nobody tries says nothing.
  @Test func everyCorpusHasATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
    #expect(Set(folders) == Set(try FuzzTarget.all().map(\.name)))
  }
}
