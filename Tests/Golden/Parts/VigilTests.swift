import Testing

@testable import motionctl

@Suite struct VigilTests {
  private let start = ContinuousClock.now

  @Test func looksOnlyAfterASilence() {
    var vigil = Vigil(at: start)
    var looks = 0
    func look(_ milliseconds: Int) -> Vigil.Change? {
      vigil.look(at: start + .milliseconds(milliseconds)) {
        looks += 1
        return true
      }
    }
    #expect(look(900) == nil && looks == 0)
    #expect(vigil.heard(at: start + .milliseconds(900)) == nil)
    #expect(look(1800) == nil && looks == 0)
    #expect(look(1900) == nil && looks == 1)
    #expect(look(2500) == nil && looks == 1, "once a second")
  }

  @Test func tellsEachChangeOnce() {
    var vigil = Vigil(at: start)
    #expect(vigil.look(at: start + .seconds(1)) { false } == .lost)
    #expect(vigil.isLost)
    #expect(vigil.look(at: start + .seconds(2)) { false } == nil)
    #expect(vigil.look(at: start + .seconds(3)) { true } == .returned)
    #expect(!vigil.isLost)
    #expect(vigil.look(at: start + .seconds(4)) { true } == nil)
    #expect(vigil.look(at: start + .seconds(5)) { false } == .lost)
    #expect(vigil.heard(at: start + .seconds(5.1)) == .returned)
    #expect(!vigil.isLost)
  }
}
