import MotionTestKit
import Testing

@testable import MotionModel

/// Rows and lanes against a dictionary of values, with places that are reused.
struct PropertyColumnsTests {
  @Test func `a new row has the lanes of its value and no velocity`() {
    var columns = PropertyColumns()
    columns.occupy(0, by: PropertyHandle(7), at: [1, 2, 3])
    columns.occupy(1, by: PropertyHandle(8), at: 4)
    #expect(columns.rows.map(\.handle) == [7, 8] && columns.rows.map(\.lanes) == [3, 1])
    #expect(columns.value(0) == SIMD4(1, 2, 3, 0) && columns.velocity(0) == .zero)
    #expect(columns.value(1) == SIMD4(4, 0, 0, 0))
    #expect(columns.values.count == 4 && columns.velocities.count == 4)
  }

  @Test func `a move reports a change, and ignores lanes that the row does not have`() {
    var columns = PropertyColumns()
    columns.occupy(0, by: PropertyHandle(1), at: [1, 2])
    columns.occupy(1, by: PropertyHandle(2), at: 9)
    let moves = [
      columns.move(0, to: SIMD4(1, 2, 5, 5), .zero), columns.move(0, to: SIMD4(1, 2, 0, 0), SIMD4(0, 1, 0, 0)),
      columns.move(0, to: SIMD4(1, 2, 0, 0), SIMD4(0, 1, 7, 0)), columns.move(0, to: SIMD4(0, 2, 0, 0), .zero),
    ]
    #expect(moves == [false, true, false, true])
    #expect(columns.value(0) == SIMD4(0, 2, 0, 0) && columns.value(1)[0] == 9)
  }

  @Test func `rows and lanes are reused without old values`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "PropertyColumnsTests"))
    var (columns, model) = (PropertyColumns(), [Int: (UInt32, Lanes)]())
    var most = 0
    for handle in UInt32(1)...5000 {
      if model.count < 40 || Bool.random(using: &random), let row = (0...40).first(where: { model[$0] == nil }),
        row <= columns.rows.count
      {
        let lanes = Lanes(SIMD4(repeating: Double(handle)), count: Int.random(in: 1...4, using: &random))
        columns.occupy(row, by: PropertyHandle(handle), at: lanes)
        model[row] = (handle, lanes)
      } else if let row = model.keys.sorted().randomElement(using: &random) {
        columns.vacate(row)
        model[row] = nil
      }
      most = max(most, model.count)
      for (row, (handle, lanes)) in model {
        #expect(columns.rows[row].handle == handle && columns.value(row) == lanes.storage)
        #expect(columns.velocity(row) == .zero)
        if handle % 3 == 0 {
          _ = columns.move(row, to: lanes.storage, SIMD4(repeating: 1))
          _ = columns.move(row, to: lanes.storage, .zero)
        }
      }
      #expect(columns.rows.indices.allSatisfy { columns.rows[$0].isOccupied == (model[$0] != nil) })
    }
    // Each number of lanes keeps the most that it ever had.
    #expect(columns.values.count <= most * (1 + 2 + 3 + 4))
  }
}
