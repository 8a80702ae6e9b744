import Foundation
import Testing

/// The rules for every file, whatever its content.
struct TidyTests {
  /// One idea per file: most have 60 to 200 lines, and a file of more than 400 contains two ideas.
  static let longest = 400

  @Test func noSwiftFileIsLong() {
    for source in Repository.sources {
      #expect(source.lines.count <= Self.longest + 1, "\(source.path) has \(source.lines.count - 1) lines")
    }
  }

  /// Written in two halves, so that this file does not find itself.
  static let unwelcome = [
    ("TO" + "DO", "what is not done is reported, not left behind"), ("FIX" + "ME", "likewise"),
    ("/wo" + "rk/", "a folder of one machine"), ("/ro" + "ot/", "a folder of one machine"),
    ("/ho" + "me/", "a folder of one machine"), ("<<<<" + "<<< ", "a conflict was left"), (">>>>" + ">>> ", "likewise"),
  ]

  static func violations(in text: String, of path: String) -> [String] {
    unwelcome.compactMap { word, why in text.contains(word) ? "\(path): \(word): \(why)" : nil }
  }

  @Test func `no file contains a leftover`() {
    #expect(Repository.files.flatMap { Self.violations(in: Repository.text(of: $0) ?? "", of: $0) } == [])
  }

  @Test func aLeftoverIsFound() {
    #expect(Self.violations(in: "a // TO" + "DO: later", of: "A.swift").count == 1)
    #expect(Self.violations(in: "open(\"/ho" + "me/me/a\")", of: "A.swift").count == 1)
    #expect(Self.violations(in: "<<<<" + "<<< HEAD\nours\n=======\ntheirs\n>>>>" + ">>> other", of: "a.md").count == 2)
  }

  /// An application that uses the libraries chooses the versions; our own builds take the newest that fit.
  @Test func pinnedVersionsAreNotCommitted() throws {
    let ignored = try #require(Repository.text(of: ".gitignore")).split(separator: "\n")
    #expect(ignored.contains("Package.resolved"))
    guard Repository.exists(".git") else { return }
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "-C", Repository.root, "ls-files", "--error-unmatch", "Package.resolved"]
    (git.standardOutput, git.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try git.run()
    git.waitUntilExit()
    #expect(git.terminationStatus != 0, "Package.resolved is tracked; git rm --cached Package.resolved")
  }

  /// Otherwise a race that was suppressed as a false report is reported again once its file has moved.
  @Test func `places that the thread sanitizer ignores exist`() throws {
    let lines = try #require(Repository.text(of: "Tests/thread-sanitizer.txt")).split(separator: "\n")
    let places = lines.filter { !$0.hasPrefix("#") }.map { String($0.split(separator: ":").last ?? "") }
    #expect(places.count > 1)
    for place in places { #expect(Repository.exists(place), "\(place) is not there") }
  }

  /// Every link in a document has an existing target.
  @Test func linksBetweenDocumentsHold() {
    for path in Repository.files where path.hasSuffix(".md") {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      for link in Self.links(in: Repository.text(of: path) ?? "") where !link.contains("://") && !link.hasPrefix("#") {
        let target = String(link.prefix { $0 != "#" })
        let resolved = folder.isEmpty ? target : "\(folder)/\(target)"
        #expect(Repository.exists(resolved), "\(path) links to \(link), which is not there")
      }
    }
  }

  /// Paths in the map exist: those in backquotes that name a file or a folder of a target.
  @Test func `paths in the map exist`() throws {
    let map = try #require(Repository.text(of: "docs/architecture.md"))
    let paths = map.split(separator: "`").filter {
      $0.wholeMatch(of: /(Motion|Sources|Tests)[A-Za-z]*\/[\w\/+.]+/) != nil
    }
    #expect(paths.count > 20)
    for path in paths {
      #expect(Repository.exists(String(path)) || Repository.exists("Sources/\(path)"), "\(path) is not there")
    }
  }

  /// The targets of Markdown's `[text](target)`.
  private static func links(in text: String) -> [String] {
    text.split(separator: "](", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
      rest.firstIndex(of: ")").map { String(rest[..<$0]) }
    }
  }

  /// Workers that were built for the tests take three to six times as long: they may not replace those of `make build`.
  @Test func eachConfigurationHasItsOwnPluginFolder() throws {
    let makefile = try #require(Repository.text(of: "Makefile"))
    let folders = makefile.split(separator: "\n").filter { $0.contains("call assemble,$(PLUGINS),") }.map { line in
      let parts = line.dropLast().split(separator: ",").map(String.init)
      return (programs: parts[2], folder: parts[3])
    }
    #expect(folders.count >= 4)
    for (index, entry) in folders.enumerated() {
      for other in folders[..<index] where other.folder == entry.folder {
        #expect(other.programs == entry.programs, "\(entry.folder) holds programs of two configurations")
      }
    }
  }

  /// A target that the map does not show cannot be found by its readers.
  @Test func theMapShowsEveryTarget() throws {
    let map = try #require(Repository.text(of: "docs/architecture.md"))
    for name in Rank.table.keys {
      #expect(map.contains(name), "docs/architecture.md does not speak of \(name)")
    }
  }
}
