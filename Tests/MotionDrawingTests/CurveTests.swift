import MotionModel
import Testing

@testable import MotionDrawing

@Suite struct CurveTests {
  private func curve(_ values: [Double]) -> Curve {
    let samples = values.enumerated().map { index, value in
      MotionTrack.Sample(frame: UInt64(index), time: Double(index), PropertyState(Lanes(value)))
    }
    let track = MotionTrack(PropertyReference("ball", "x"), samples: samples)
    return Curve(track, lane: 0, isVelocity: false, in: 0...Double(values.count))
  }

  @Test func aShortCurveIsNotThinned() {
    let curve = curve([1, 5, 2])
    #expect(curve.thinned(columns: 100, in: 0...3) == curve.points)
  }

  @Test func `a thinned long curve keeps its ends and extremes`() {
    var values = (0..<10_000).map { Double($0 % 7) }
    values[1234] = 50
    values[8765] = -50
    let curve = curve(values)
    let thinned = curve.thinned(columns: 100, in: 0...10_000)
    #expect(thinned.count <= 400)
    #expect(thinned.first == curve.points.first && thinned.last == curve.points.last)
    #expect(thinned.map(\.value).max() == 50 && thinned.map(\.value).min() == -50)
    #expect(zip(thinned, thinned.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  @Test func `lanes have their customary names`() {
    #expect((0..<4).map { LaneNames.name($0, of: 4, on: "backgroundColor") } == ["r", "g", "b", "a"])
    #expect((0..<2).map { LaneNames.name($0, of: 2, on: "position") } == ["x", "y"])
    #expect(LaneNames.name(0, of: 1, on: "opacity") == "")
  }

  @Test func axesNameTheirUnits() {
    func titles(_ property: PropertyName) -> [String] {
      let track = MotionTrack(
        PropertyReference("ball", property), samples: [MotionTrack.Sample(frame: 1, time: 0, PropertyState(1))])
      return [false, true].map { Panel(track, isVelocity: $0, in: 0...1).title }
    }
    #expect(titles("rotation") == ["value, rad", "velocity, rad per s"])
    #expect(titles("opacity") == ["value", "velocity per s"])
    #expect(titles("scale") == ["value", "velocity per s"])
  }
}

@Suite struct BrailleCanvasTests {
  private func text(_ canvas: BrailleCanvas) -> [String] {
    (0..<canvas.rows).map { row in
      String((0..<canvas.columns).map { canvas.character(column: $0, row: row) ?? " " })
    }
  }

  @Test func aLineIsWithoutGaps() {
    var canvas = BrailleCanvas(columns: 4, rows: 2)
    canvas.line(from: (0, 7), to: (7, 0))
    #expect(text(canvas) == ["  ⡠⠊", "⡠⠊  "])
  }

  @Test func `points beyond the canvas are left out`() {
    var canvas = BrailleCanvas(columns: 2, rows: 1)
    canvas.set(-1, 0)
    canvas.set(0, 4)
    canvas.set(3, 3)
    #expect(text(canvas) == [" ⢀"])
  }
}

@Suite struct MarkLabelsTests {
  private func lines(_ marks: [(x: Double, text: String)], right: Double = 1000) -> [Int?] {
    MarkLabels.place(marks, characterWidth: 10, right: right, lines: 3).map(\.line)
  }

  @Test func labelsFarApartShareALine() {
    #expect(lines([(0, "abc"), (100, "abc"), (200, "abc")]) == [0, 0, 0])
  }

  @Test func `a label moves below the lines that it would cross`() {
    #expect(lines([(0, "abcdef"), (50, "abcdef"), (300, "abc")]) == [1, 0, 0])
    #expect(lines([(0, "abcdef"), (20, "abcdef"), (40, "abcdef")]) == [2, 1, 0])
  }

  @Test func `a label without space is left out`() {
    #expect(lines([(0, "abcdef"), (10, "abcdef"), (20, "abcdef"), (30, "abcdef")]) == [nil, 2, 1, 0])
  }

  @Test func `a label at the right end is turned`() {
    let labels = MarkLabels.place([(990, "abc")], characterWidth: 10, right: 1000, lines: 3)
    #expect(labels.map(\.isTurned) == [true])
    #expect(lines([(975, "abc"), (990, "abc")]) == [1, 0])
  }
}
