import Foundation
import Testing

/// A target may import a module only if Package.swift says so: SwiftPM builds modules beside each other, and a build
/// from nothing would meet an import before its module.
struct ManifestTests {
  @Test func everyTargetDeclaresWhatItImports() throws {
    let targets = try Manifest.read().targets
    let ours = Set(targets.map(\.name))
    #expect(ours.count > 40, "the targets were not found in Package.swift")
    #expect(targets.flatMap { $0.undeclared(in: Repository.sources, of: ours) } == [])
  }

  @Test func anImportThatIsNotDeclaredIsFound() throws {
    let entry = #"{"name": "A", "type": "regular", "dependencies": [{"byName": ["C", null]}]}"#
    let target = try JSONDecoder().decode(Manifest.Target.self, from: Data(entry.utf8))
    let source = SwiftSource(path: "Sources/A/B.swift", text: "import C\nimport Glibc\n@testable import D\n")
    #expect(target.undeclared(in: [source], of: ["A", "C", "D"]) == ["Sources/A/B.swift:3: A does not declare D"])
  }
}

/// Of Package.swift, what its own command prints of it.
private struct Manifest: Decodable {
  struct Target: Decodable {
    let name: String
    let type: String
    let path: String?
    let dependencies: [Dependency]

    var folder: String { path ?? (type == "test" ? "Tests/" : "Sources/") + name }

    /// The imports of its sources that are modules of ours and no dependencies of it.
    func undeclared(in sources: [SwiftSource], of ours: Set<String>) -> [String] {
      let known = Set(dependencies.map(\.name)).union([name])
      return sources.filter { $0.path.hasPrefix(folder + "/") }.flatMap { source in
        source.imports.filter { ours.contains($0.module) && !known.contains($0.module) }
          .map { "\(source.path):\($0.line): \(name) does not declare \($0.module)" }
      }
    }
  }

  /// One entry whose key is the kind: `{"byName": ["MotionModel", null]}`.
  struct Dependency: Decodable {
    let name: String

    init(from decoder: any Decoder) throws {
      let entries = try decoder.singleValueContainer().decode([String: [Part]].self)
      name = entries.values.first?.first?.text ?? ""
    }
  }

  /// A name, or what else there is in such an entry: nothing, a package, a condition.
  struct Part: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode(String.self)
    }
  }

  let targets: [Target]

  static func read() throws -> Manifest {
    let command = Process()
    let output = Pipe()
    command.executableURL = URL(filePath: "/usr/bin/env")
    // With a folder of its own: a build may hold the lock of the usual one.
    let scratch = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    command.arguments = [
      "swift", "package", "--package-path", Repository.root, "--scratch-path", scratch.path(percentEncoded: false),
      "dump-package",
    ]
    command.standardOutput = output
    try command.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    command.waitUntilExit()
    return try JSONDecoder().decode(Manifest.self, from: text)
  }
}
