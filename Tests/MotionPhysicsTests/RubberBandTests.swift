import MotionPhysics
import Testing

struct RubberBandTests {
  // Clauses: S3.41, S7.28
  @Test(arguments: [-300.0, -76, -40, 0, 30, 100, 110, 123.9, 124, 131, 147, 148, 500], [48.0, 10, 0, -1])
  func `a grasped value stays where it is`(_ place: Double, _ maxLength: Double) {
    let (free, length) = RubberBand.grasp(place, within: 0...100, maxLength: maxLength)
    let held = RubberBand.hold(free, within: 0...100, maxLength: length)
    #expect(abs(held.value - place) < 1e-9)
    #expect(held.slope > 0.13, "drawn back it follows")
    let way = max(place - 100, -place, 0)
    #expect(length == (way > 0 ? max(maxLength, 2 * way) : maxLength))
  }

  @Test func `values too large for the band are held as they are`() {
    for place in [Double.greatestFiniteMagnitude, .infinity, .nan] {
      let (free, length) = RubberBand.grasp(place, within: 0...100, maxLength: 48)
      #expect((free == place || free.isNaN) && length == 48)
    }
  }
}
