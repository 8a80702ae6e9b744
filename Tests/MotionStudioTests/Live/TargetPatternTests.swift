import MotionModel
import Testing

@testable import MotionStudio

/// Patterns of targets.
struct TargetPatternTests {
  @Test(arguments: [
    ("*", "ball", true), ("ball*", "ball", true), ("ball*", "ball-2", true), ("*ball", "football", true),
    ("b*l*", "ball", true), ("a*b*c", "aXbXbXc", true), ("a*b*c", "aXbXbX", false), ("ball", "balls", false),
    ("lamp,ball", "ball", true), ("lamp,ball", "lampball", false), ("***", "a", true), ("a*a", "a", false),
  ])
  func `a star is any text`(pattern: String, name: String, matches: Bool) throws {
    #expect(try #require(TargetPattern(pattern)).matches(try TargetName(name)) == matches)
  }

  @Test(arguments: ["", ",", "a,", "a b", "a/b", String(repeating: "a", count: 1025)])
  func `a pattern that fits no name is none`(text: String) { #expect(TargetPattern(text) == nil) }

  @Test func `many stars cost no more than the product of the lengths`() throws {
    let pattern = try #require(TargetPattern(String(repeating: "a*", count: 60)))
    #expect(!pattern.matches(try TargetName(String(repeating: "a", count: 59) + String(repeating: "b", count: 60))))
  }
}
