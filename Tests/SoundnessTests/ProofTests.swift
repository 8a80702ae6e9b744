import Testing

/// Wherever the compiler's checks are disabled, a comment beside it states why this is safe.
struct ProofTests {
  static func violations(in source: SwiftSource) -> [String] {
    source.code.enumerated().compactMap { index, line in
      guard line.contains("@unchecked") || line.contains("nonisolated(unsafe)") || line.contains("(unchecked)") else {
        return nil
      }
      // On the line itself, or up to three lines before it or one after: where a reader looks.
      let near = source.lines[max(0, index - 3)...min(index + 1, source.lines.count - 1)]
      let hasProof = near.contains { $0.contains("// ") }
      return hasProof ? nil : "\(source.path):\(index + 1): say why this is safe"
    }
  }

  @Test func everyUncheckedPromiseIsProved() {
    #expect(Repository.sources.flatMap(Self.violations) == [])
  }

  @Test func aPromiseWithoutProofIsFound() {
    let bare = SwiftSource(path: "A.swift", text: "final class A: @unchecked Sendable {\n  var a = 1\n}\n")
    #expect(Self.violations(in: bare) == ["A.swift:1: say why this is safe"])
    let proved = SwiftSource(path: "A.swift", text: "// One thread owns it.\nfinal class A: @unchecked Sendable {}\n")
    #expect(Self.violations(in: proved) == [])
  }
}
