import ArgumentParser
import Foundation

/// `motion-bench report`
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes docs/performance.md and its curves from what the benchmarks measured.",
    discussion: "`make bench` runs every benchmark with --json and then this.")

  @Argument(help: "The file with the lines that the benchmarks printed with --json.")
  var results: String

  @Option(help: "Where performance.md and the folder performance are written.")
  var output = "../docs"

  @Option(help: "A file with what to say about targets that are missed: put behind the tables.")
  var remarks: String?

  func run() throws {
    let lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
    let rows = try lines.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    let said = try remarks.map { try String(contentsOfFile: $0, encoding: .utf8) } ?? ""
    let folder = "\(output)/performance"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var pictures: [String: [String]] = [:]
    for benchmark in PerformancePage.order {
      for picture in CostCurves.pictures(of: rows.filter { $0.benchmark == benchmark }, benchmark) {
        try picture.text.write(toFile: "\(folder)/\(picture.name).svg", atomically: true, encoding: .utf8)
        pictures[benchmark, default: []].append(picture.name)
      }
    }
    let page = PerformancePage(rows: rows, machine: .this, pictures: pictures, remarks: said)
    try page.text.write(toFile: "\(output)/performance.md", atomically: true, encoding: .utf8)
  }
}
