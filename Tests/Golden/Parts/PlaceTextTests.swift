import MotionClient
import Testing

@testable import motionctl

@Suite struct PlaceTextTests {
  @Test func `sizes, origins and axes are parsed`() throws {
    #expect(try parsedSurface("1920x1080") == SIMD2(1920, 1080))
    #expect(try parsedSurface("0.5x1e6") == SIMD2(0.5, 1e6))
    #expect(try parsedOrigin("-100,50.5") == SIMD2(-100, 50.5))
    #expect(try parsedAxes("4095x2047") == .touchscreen(horizontal: 0...4095, vertical: 0...2047))
  }

  @Test(arguments: ["", "x", "100", "100x", "x100", "0x10", "-1x10", "nanx1", "1xinf", "1x2x3", "2e6x1", "axb", "1,2"])
  func `an invalid size is refused`(text: String) {
    #expect(throws: (any Error).self) { try parsedSurface(text) }
    #expect(throws: (any Error).self) { try parsedAxes(text) }
  }

  @Test(arguments: ["", ",", "1", "1,", "1,2,3", "nan,1", "1,inf", "2e6,0", "1x2"])
  func `an invalid origin is refused`(text: String) { #expect(throws: (any Error).self) { try parsedOrigin(text) } }

  @Test(arguments: ["1.5x2", "4294967296x1", "+ 1x1"])
  func `fractional axes are refused`(text: String) { #expect(throws: (any Error).self) { try parsedAxes(text) } }
}
