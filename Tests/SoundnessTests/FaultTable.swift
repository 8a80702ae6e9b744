import Foundation

/// docs/faults.md: every fault that a test declares, with the values that the tests measured when `make faults` ran
/// them.
struct FaultTable {
  static let path = "docs/faults.md"
  /// The hand-written part begins here, and is left as it is.
  static let tail = "\n## What these found"

  /// The areas in the order of the page, with their headings.
  static let areas = [
    ("processes", "Processes that die, hang or are suspended"), ("network", "Connections"), ("storage", "Storage"),
    ("time", "Time"), ("limits", "Limits of the machine"), ("peers", "Faulty and malicious peers"),
    ("operators", "Mistakes of operators"),
  ]

  let rows: [FaultDeclarations.Declaration]
  let violations: [String]

  init(_ files: [FaultDeclarations]) {
    rows = files.flatMap(\.declarations)
    let unknown = rows.filter { row in !Self.areas.contains { $0.0 == row.area } }
    let named = Dictionary(grouping: rows, by: \.fault).values.filter { $0.count > 1 }
    violations =
      files.flatMap(\.violations) + unknown.map { "\($0.path):\($0.line): there is no area .\($0.area)" }
      + named.map { "\($0[1].path):\($0[1].line): \"\($0[1].fault)\" is declared twice" }
  }

  /// The page, with these measured times by fault; a row without one states that.
  func document(measured: [String: String], machine: String, tail: String) -> String {
    var text = """
      # Faults

      This page lists the faults that tests bring about on purpose, the behaviour that motiond promises under each, and
      the test that shows it. Each test declares its rows itself (`.fault(…)` in its attribute). `make faults` runs
      these tests and writes this page from those that ran and passed; `make test` fails when the page and the tests
      differ. A time without a name is the duration of the whole test, including the start and the end of its processes.
      A named time was measured by the test; of several cases it is the longest.

      **\(rows.count) faults**, measured on \(machine).

      """
    for (area, heading) in Self.areas {
      let rows = rows.filter { $0.area == area }.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
      guard !rows.isEmpty else { continue }
      text +=
        "\n## \(heading)\n\n| fault | injection | promise | shown by | measured |\n|---|---|---|---|---|\n"
      for row in rows {
        let file = row.path.split(separator: "/").last?.split(separator: ".").first ?? ""
        text += "| \(row.fault) | \(row.injection) | \(row.promise) | [\(file)](../\(row.path)): \(row.test) "
        text += "| \(measured[row.fault] ?? Self.unmeasured) |\n"
      }
    }
    return text + tail
  }

  static let unmeasured = "–"

  /// A page without its measured times and its machine, to compare with the sources' declarations.
  static func declared(in page: String) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard !line.hasPrefix("**") else { return line.prefix { $0 != "," } }
      guard line.hasPrefix("| "), let last = line.dropLast(2).lastIndex(of: "|") else { return line }
      return line[..<last]
    }
    return lines.joined(separator: "\n")
  }

  /// The number of rows of a page without a measured time.
  static func unmeasured(in page: String) -> Int {
    page.split(separator: "\n").count { $0.hasPrefix("| ") && $0.hasSuffix("| \(unmeasured) |") }
  }

  /// The hand-written part of a page.
  static func tail(of page: String) -> String { page.range(of: tail).map { String(page[$0.lowerBound...]) } ?? "" }
}
