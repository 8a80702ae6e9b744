import MotionModel
import Testing

@testable import MotionExecutors

/// The levels that properties have as channels.
struct DMXPictureTests {
  private static let text = """
    universe 1 sacn
    universe 2 sacn
    profile spot level! pan:16=-270..270 255 shutter@1 color.r color.g color.b color.white
    profile soft level~square
    lamp{1..2} dimmer 1.1
    head spot 1.11
    dim soft 2.1
    mix rgb-dimmer 2.11
    turned dimmer 2.21 level=1..0
    relay switch 2.31
    master desk/master
    blackout desk/dark
    """

  private func picture(_ values: [PropertyReference: Lanes] = [:]) throws -> DMXPicture {
    var picture = DMXPicture(try DMXPatch(Self.text)) { values[$0] }
    _ = picture.takeChanged()
    return picture
  }

  // Clauses: S25.2
  @Test func `values become levels of 8 and 16 bits, within their ranges`() throws {
    var picture = try picture()
    #expect(picture.levels[0].prefix(2) == [0, 0])
    // Without its property, a pan of 0 degrees is the middle, the shutter is open, and a constant is as it is.
    #expect(Array(picture.levels[0][10..<19]) == [0, 0x80, 0, 255, 255, 0, 0, 0, 0])
    picture.notice(PropertyReference("lamp1", "level"), 0.5)
    picture.notice(PropertyReference("lamp2", "level"), 7)
    picture.notice(PropertyReference("head", "pan"), 270)
    #expect(picture.takeChanged() == [0])
    #expect(picture.levels[0].prefix(2) == [128, 255] && picture.levels[0][11..<13] == [255, 255])
    picture.notice(PropertyReference("head", "pan"), -135)
    picture.notice(PropertyReference("dim", "level"), 0.5)
    picture.notice(PropertyReference("turned", "level"), 0.25)
    picture.notice(PropertyReference("relay", "level"), 0.5)
    #expect(picture.takeChanged() == [0, 1])
    #expect(picture.levels[0][11..<13] == [0x40, 0])
    #expect(picture.levels[1][0] == 64 && picture.levels[1][20] == 191 && picture.levels[1][30] == 255)
    picture.notice(PropertyReference("head", "pan"), -135)
    #expect(picture.takeChanged().isEmpty)
    picture.notice(PropertyReference("lamp2", "level"), nil)
    #expect(picture.takeChanged() == [0] && picture.levels[0][1] == 0)
  }

  // Clauses: S25.2
  @Test func `a colour is shown with its alpha, its white by a channel of its own`() throws {
    var picture = try picture([PropertyReference("head", "color"): [1, 0.6, 0.2, 0.5]])
    #expect(Array(picture.levels[0][15..<19]) == [102, 51, 0, 26])
    picture.notice(PropertyReference("mix", "color"), [1, 0.5, 0, 1])
    #expect(picture.takeChanged() == [1] && Array(picture.levels[1][10..<13]) == [255, 128, 0])
    picture.notice(PropertyReference("mix", "level"), 0.5)
    #expect(picture.takeChanged() == [1] && Array(picture.levels[1][10..<13]) == [128, 64, 0])
  }

  // Clauses: S25.3
  @Test func `master and blackout act on intensity alone`() throws {
    var picture = try picture([PropertyReference("lamp1", "level"): 1, PropertyReference("head", "level"): 0.8])
    picture.notice(PropertyReference("desk", "master"), 0.5)
    #expect(picture.takeChanged().contains(0) && picture.levels[0][0] == 128 && picture.levels[0][10] == 102)
    #expect(picture.levels[0][13] == 255)
    picture.notice(PropertyReference("desk", "dark"), 1)
    #expect(picture.takeChanged().contains(0) && picture.levels[0][0] == 0 && picture.levels[0][10] == 0)
    #expect(Array(picture.levels[0][11..<15]) == [0x80, 0, 255, 255])
    picture.notice(PropertyReference("desk", "dark"), 0.49)
    _ = picture.takeChanged()
    #expect(picture.levels[0][0] == 128)
  }

  // Clauses: S25.3
  @Test func `where a range is turned round, masters and blackout lead to the full level`() throws {
    var picture = try picture([PropertyReference("turned", "level"): 0.75])
    #expect(picture.levels[1][20] == 64)
    picture.notice(PropertyReference("desk", "master"), 0.5)
    _ = picture.takeChanged()
    // Three eighths of its light.
    #expect(picture.levels[1][20] == 159)
    picture.notice(PropertyReference("desk", "dark"), 1)
    _ = picture.takeChanged()
    #expect(picture.levels[1][20] == 255)
  }
}
