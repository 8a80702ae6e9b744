import MotionModel
import MotionTestKit
import MotionWire
import Testing

@testable import MotionStudio

/// The rows of the room Hierarchy, in parts.
struct HierarchyTableTests {
  private typealias Row = HierarchyTable.Row

  private func target(_ name: TargetName, moves: Bool = false) -> TargetRow {
    TargetRow(target: name, properties: 1, executors: 0, intentions: 0, isActive: moves)
  }

  private func property(
    _ target: TargetName, _ name: PropertyName, driver: ExecutorType? = nil, waiting: [ExecutorType] = []
  ) -> PropertyRow {
    PropertyRow(
      reference: PropertyReference(target, name), handle: PropertyHandle(1), state: PropertyState(0, velocity: 0),
      driver: driver, because: [], waiting: waiting, changedFrame: 0, isLate: false)
  }

  // Clauses: S30.20
  @Test func `properties follow their targets, in whichever order they were created`() throws {
    let targets = [target("b"), target("empty"), target("a")]
    let properties = [
      property("a", "x"), property("b", "x"), property("a", "y"), property("new", "x"), property("b", "y"),
    ]
    var table = try HierarchyTable(EncodedRows(targets), EncodedRows(properties))
    let page = table.page(.init(count: 100, selected: .init("a", "x")))
    #expect(
      page.rows == [
        .target(targets[0]), .property(properties[1]), .property(properties[4]), .target(targets[1]),
        .target(targets[2]),
        .property(properties[0]), .property(properties[2]),
      ])
    #expect(page.total == 7 && page.first == 0 && page.selected == 5)
    #expect(table.page(.init(count: 1, selected: .init("a"))).selected == 4)
    #expect(table.page(.init(count: 1, selected: .init("gone"))).selected == nil)
    var empty = HierarchyTable(EncodedRows(), EncodedRows())
    #expect(empty.page(.init(first: 3, count: 10)).rows == [])
  }

  // Clauses: S30.20
  @Test func `a search finds targets, properties, drivers and what waits, by all of its words`() throws {
    var table = try HierarchyTable(
      EncodedRows([target("Lamp1", moves: true), target("ball")]),
      EncodedRows([
        property("Lamp1", "opacity", driver: "Tween", waiting: ["Physics"]), property("ball", "position"),
      ]))
    func found(_ words: String...) -> [String] {
      table.page(.init(words: words, count: 100)).rows.map { row in
        switch row {
        case .target(let row): "\(row.target)"
        case .property(let row): "\(row.reference)"
        }
      }
    }
    #expect(found("lamp1") == ["Lamp1", "Lamp1/opacity"])
    #expect(found("lamp1", "moves") == ["Lamp1"])
    #expect(found("tween") == ["Lamp1/opacity"] && found("physics", "lamp") == ["Lamp1/opacity"])
    #expect(found("nothing", "drives") == ["ball/position"])
    #expect(found("ball", "tween") == [] && found().count == 4)
  }

  // Clauses: S30.20
  @Test func `parts of any size together are the whole`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "hierarchy"))
    for _ in 0..<SeededRandom.rounds(60) {
      let names = try (0..<Int.random(in: 0...30, using: &random)).map { try TargetName("t\($0)") }
      let count = names.isEmpty ? 0 : Int.random(in: 0...60, using: &random)
      let properties: [PropertyRow] = try (0..<count).map { number in
        let owner = try #require(names.randomElement(using: &random))
        return property(owner, try PropertyName("p\(number)"))
      }
      var table = try HierarchyTable(EncodedRows(names.map { target($0) }), EncodedRows(properties))
      let words = random.chance(0.5) ? [] : [["t", "1", "p2", "rests"].randomElement(using: &random)!]
      let whole = table.page(.init(words: words, count: 1000))
      #expect(whole.total == whole.rows.count)
      if words.isEmpty { #expect(whole.total == names.count + properties.count) }
      var rows: [Row] = []
      while rows.count < whole.total {
        let page = table.page(.init(words: words, first: rows.count, count: Int.random(in: 1...9, using: &random)))
        guard page.first == rows.count, !page.rows.isEmpty else { break }
        rows += page.rows
      }
      #expect(rows == whole.rows)
      for (number, row) in whole.rows.enumerated() {
        let selection: HierarchyTable.Selection =
          switch row {
          case .target(let row): .init(row.target)
          case .property(let row): .init(row.reference.target, row.reference.property)
          }
        #expect(table.page(.init(words: words, count: 1, selected: selection)).selected == number)
      }
    }
  }
}
