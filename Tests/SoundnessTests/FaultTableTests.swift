import Foundation
import Testing

/// docs/faults.md has the faults that the tests declare, no other ones, and enough of them.
struct FaultTableTests {
  private static let table = FaultTable(
    Repository.sources.filter { $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/SoundnessTests/") }
      .map { FaultDeclarations($0) })

  /// Sixty were promised; a change that removes a row has to consider this.
  @Test func `at least sixty faults are declared without errors`() {
    #expect(Self.table.violations == [])
    #expect(Self.table.rows.count >= 60)
  }

  @Test func `the page of faults contains the faults that tests declare`() throws {
    let page = Repository.text(of: FaultTable.path) ?? ""
    let tail = FaultTable.tail(of: page)
    if let record = ProcessInfo.processInfo.environment["MOTION_FAULTS_UPDATE"] {
      let records = try FaultRecords(try String(contentsOfFile: record, encoding: .utf8))
      let measured = records.measured
      let silent = Self.table.rows.filter { measured[$0.fault] == nil }.map { "\($0.path): \($0.test): \($0.fault)" }
      try #require(silent == [], "these did not run here, perhaps for want of root")
      let text = Self.table.document(measured: measured, machine: FaultRecords.machine, tail: tail)
      try text.write(toFile: "\(Repository.root)/\(FaultTable.path)", atomically: true, encoding: .utf8)
      return
    }
    let wanted = FaultTable.declared(in: Self.table.document(measured: [:], machine: "", tail: tail))
    // A flag, since the failure would otherwise print both documents.
    let isCurrent = FaultTable.declared(in: page) == wanted
    #expect(isCurrent, "\(FaultTable.path) is not what the tests declare; make faults runs them and writes it")
    #expect(FaultTable.unmeasured(in: page) == 0, "rows that nobody measured; make faults does")
  }

  private func declarations(_ text: String) -> FaultDeclarations {
    FaultDeclarations(SwiftSource(path: "Tests/A/BTests.swift", text: text))
  }

  @Test func `declarations are parsed from the attributes of tests`() {
    let read = declarations(
      """
      @Test(.fault(.time, "It stands", by: "a, stop", promise: "It goes on"))
      func plain() {}
        // Why (so).
        @Test(
          .fault(.storage, "Full (to the last byte)", by: "a tmpfs", promise: "Refused, " + "not lost"),
          .fault(
            .storage, "Broken",
            by: "a shim", promise: "Likewise"),
          arguments: [1])
        func `in words`(text: String) {}
      """)
    #expect(read.violations == [])
    #expect(read.declarations.map(\.fault) == ["It stands", "Full (to the last byte)", "Broken"])
    #expect(read.declarations.map(\.promise) == ["It goes on", "Refused, not lost", "Likewise"])
    #expect(read.declarations.map(\.injection) == ["a, stop", "a tmpfs", "a shim"])
    #expect(read.declarations.map(\.test) == ["plain", "in words", "in words"])
    #expect(read.declarations.map(\.line) == [1, 5, 6])
  }

  @Test(arguments: [
    #"@Test(.fault(.time, "a \(b)", by: "c", promise: "d")) func e() {}"#,
    #"@Test(.fault(.time, a, by: "c", promise: "d")) func e() {}"#,
    #"@Test(.fault(.time, "a", by: "c")) func e() {}"#,
    #"@Test(.fault(.time, "a|b", by: "c", promise: "d")) func e() {}"#,
    #"@Test func e() {\#n  run(.fault(.time, "a", by: "c", promise: "d")) }"#,
    #"let a = .fault(.time, "a", by: "c", promise: "d")"#,
  ])
  func whatIsNoDeclarationIsFound(text: String) {
    let read = declarations(text)
    #expect(read.violations.count == 1)
    #expect(read.declarations == [])
  }

  @Test func `an unknown area and a fault declared twice are found`() {
    let row = #"@Test(.fault(.time, "a", by: "c", promise: "d")) func e() {}"#
    let other = #"@Test(.fault(.weather, "b", by: "c", promise: "d")) func e() {}"#
    let table = FaultTable([declarations("\(row)\n\(row)\n\(other)")])
    #expect(
      table.violations == [
        "Tests/A/BTests.swift:3: there is no area .weather", "Tests/A/BTests.swift:2: \"a\" is declared twice",
      ])
  }

  @Test func onlyMeasuredTimesAndTheMachineMayDiffer() {
    let row = #"@Test(.fault(.time, "It, stands", by: "c", promise: "d")) func e() {}"#
    let table = FaultTable([declarations(row)])
    let page = table.document(measured: ["It, stands": "2 ms"], machine: "one", tail: "\n## What these found\n- a")
    let bare = table.document(measured: [:], machine: "", tail: "\n## What these found\n- a")
    #expect(page.contains("| It, stands | c | d | [BTests](../Tests/A/BTests.swift): e | 2 ms |"))
    #expect(FaultTable.declared(in: page) == FaultTable.declared(in: bare))
    #expect(FaultTable.unmeasured(in: page) == 0 && FaultTable.unmeasured(in: bare) == 1)
    #expect(FaultTable.tail(of: page) == "\n## What these found\n- a")
    let renamed = FaultTable([declarations(row.replacing("e()", with: "f()"))])
    let other = renamed.document(measured: [:], machine: "", tail: "\n## What these found\n- a")
    #expect(FaultTable.declared(in: page) != FaultTable.declared(in: other))
  }

  @Test func `the longest time of all cases is reported`() throws {
    let records = try FaultRecords(
      """
      {"fault":"a","seconds":1.25,"measures":{}}
      {"fault":"a","seconds":0.5,"measures":{}}
      {"fault":"b","seconds":3,"measures":{"noticed":0.0021,"back":0.13}}
      {"fault":"b","seconds":3,"measures":{"noticed":0.0042}}
      """)
    #expect(records.measured == ["a": "1.2 s", "b": "back: 130 ms; noticed: 4.2 ms"])
  }
}
