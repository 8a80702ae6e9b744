import Testing

/// A target imports only lower ranks, and below the edge only what the table names.
struct RankTests {
  /// The programs and libraries; tests may import the targets that they test.
  static let ranked = Repository.sources.filter { source in
    ["Sources/", "plugins/", "examples/demo/"].contains { source.path.hasPrefix($0) }
  }

  @Test func importsFollowTheTable() {
    #expect(Self.ranked.count > 200, "the sources were not found in \(Repository.root)")
    #expect(Self.ranked.flatMap(Rank.violations) == [])
  }

  @Test func `the table's targets depend on lower ranks only`() {
    for (name, entry) in Rank.table {
      for other in entry.ours {
        let below = Rank.table[other]?.rank ?? .max
        #expect(below < entry.rank, "\(name), rank \(entry.rank), names \(other), rank \(below)")
      }
    }
  }

  @Test func `every target of the table has sources`() {
    for name in Rank.table.keys where !name.hasPrefix("C") {
      #expect(Self.ranked.contains { $0.target == name }, "\(name) has a rank but no source")
    }
  }

  @Test(arguments: [
    ("MotionCore", "Foundation"), ("MotionCore", "MotionWire"), ("MotionPhysics", "MotionModel"),
    ("ZeroMQ", "MotionModel"), ("MotionLink", "ZeroMQ"), ("tween", "MotionCoordinator"),
  ])
  func aWrongImportIsFound(target: String, module: String) {
    let source = SwiftSource(path: "Sources/\(target)/A.swift", text: "import \(module)\n")
    #expect(Rank.violations(in: source) == ["Sources/\(target)/A.swift:1: \(target) may not import \(module)"])
  }
}
