import MotionClient
import MotionModel
import MotionWire
import Testing

@testable import motionctl

@Suite struct MotionFilterTests {
  private let ball = PropertyReference("ball", "x")
  private let lamp = PropertyReference("lamp", "level")

  private func values(_ properties: [(PropertyReference, Lanes, Lanes)], isComplete: Bool = false) -> FrameValues {
    FrameValues(
      interest: .motion(.everything), frame: 1, time: 1, dt: 0.1,
      properties: properties.map { PropertyValue(reference: $0, value: $1, velocity: $2) }, isComplete: isComplete)
  }

  @Test func `a moving property is shown until it has come to rest`() {
    var filter = MotionFilter()
    let first = filter.take(values([(ball, 0, 1), (lamp, 3, 0)], isComplete: true))
    #expect(first?.properties.map(\.reference) == [ball])
    #expect(filter.take(values([(ball, 1, 0)]))?.properties.map(\.value) == [1])
    #expect(!filter.isMoving(ball))
    #expect(filter.take(values([(ball, 1, 0)])) == nil)
  }

  /// A tap, or a tween of no duration, has no velocity.
  @Test func `a property that jumps is shown`() {
    var filter = MotionFilter()
    #expect(filter.take(values([(lamp, 3, 0)], isComplete: true)) == nil)
    #expect(filter.take(values([(lamp, 4, 0)]))?.properties.map(\.value) == [4])
    #expect(filter.take(values([(lamp, 4, 0)], isComplete: true)) == nil)
  }

  @Test func `a forgotten property does not move`() {
    var filter = MotionFilter()
    _ = filter.take(values([(ball, 0, 1), (lamp, 0, 1)]))
    var forgotten = values([])
    forgotten.forgotten = [ball]
    #expect(filter.take(forgotten)?.forgotten == [ball])
    #expect(!filter.isMoving(ball) && filter.isMoving(lamp))
    #expect(filter.take(values([], isComplete: true)) == nil)
    #expect(!filter.isMoving(lamp))
  }

  @Test func `a place that another one contains is watched once`() throws {
    let places = try ["ball/x", "ball", "lamp/level", "lamp/level"].map(WatchedPlace.init(parsing:))
    #expect(WatchedPlace.distinct(places).map(\.description) == ["ball", "lamp/level"])
    #expect(WatchedPlace.distinct([]) == [.everything])
  }

  @Test func tablesAndListsHaveOneOrder() throws {
    var table = WatchTable(title: "everything")
    let names = ["lamp10", "lamp9", "lamp1"]
    let references = try names.map { PropertyReference(try TargetName($0), "level") }
    table.take(.values(values(references.map { ($0, 0, 0) })))
    let shown = table.lines(columns: 60, rows: 24, style: .plain).dropFirst(2).map { $0.prefix { $0 != "/" } }
    let rows = references.map {
      PropertyRow(
        reference: $0, handle: PropertyHandle(0), state: PropertyState(0), driver: nil, because: [], waiting: [],
        changedFrame: 0, isLate: false)
    }
    guard case .properties(let listed) = Answer.properties(rows).listed else { return #expect(Bool(false)) }
    #expect(shown.map(String.init) == ["lamp1", "lamp9", "lamp10"])
    #expect(listed.map(\.reference.target.text) == ["lamp1", "lamp9", "lamp10"])
  }
}
