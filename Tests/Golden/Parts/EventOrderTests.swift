import Foundation
import MotionClient
import MotionFiles
import MotionModel
import MotionWire
import Testing

@testable import motionctl

struct EventOrderTests {
  @Test func `values are printed in the order of lists`() throws {
    let references = ["a10", "a9", "A2", "a1.5"].map { PropertyReference($0, "x") }
    let values = FrameValues(
      interest: .motion(.everything), frame: 1, time: 1, dt: 1,
      properties: references.map { PropertyValue(reference: $0, value: 1) })
    let line = try #require(JSONOutput.lines(of: .values(values)).first?.line)
    let places = try references.sorted { $0.isListedBefore($1) }.map {
      try #require(line.range(of: "\"\($0.target)\"")).lowerBound
    }
    #expect(places == places.sorted())
  }
}
