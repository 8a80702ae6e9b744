import Foundation
import MotionClient
import MotionModel
import Testing

extension TimedTests {
  /// A plan that begins elsewhere than its property is, in all rooms. How far its first value jumps depends on when it comes.
  @Suite struct PagePlanJumpTests {
    // Clauses: S30.40, S30.41
    @Test func `a plan that jumps is marked with plan, client and step, and the past shows it in all rooms`() throws {
      let stage = try PageStage.timeline()
      let browser = stage.browser
      let mark = try browser.run(
        "script [...document.querySelectorAll('#marks button')].map((one) => one.textContent).find("
          + "(text) => text.includes('Tween \"leap\"') && text.includes('takes over'))"
      ).text
      #expect(mark.contains("ball/position") && mark.contains("motionctl"), "\(mark)")
      // It was at 100, and the tween begins at 200 or some frames later.
      let step = try #require(Double(mark.firstMatch(of: /step of value \(([0-9.]+)/)?.1 ?? ""), "\(mark)")
      #expect((60...100).contains(step) && mark.contains("of velocity (-666.667, 0)"), "\(mark)")
      // The mark leads to its moment.
      try browser.run(
        "script [...document.querySelectorAll('#marks button')].find("
          + "(one) => one.textContent.includes('Tween \"leap\" takes over')).click()")
      try awaitTruth("the sign") { try browser.text("#past-text").contains("The past: ") }
      try awaitTruth("a moment in the address") { try browser.run("address").text.contains("at=") }
      try awaitTruth("the explanation of then") { try browser.text("#why").contains("Tween") }
      #expect(try browser.text("#timeline-now").contains("ball/position ("))
      try browser.run("picture timeline-past")

      try stage.enter("hierarchy")
      try awaitTruth("the value of then, a frame after the step at most") {
        let x = Double(try browser.text("#rows").firstMatch(of: /\(([0-9.]+), 50\)/)?.1 ?? "") ?? 0
        return (160...200).contains(x) && abs(x - 100 - step) < 6
      }
      try stage.enter("graph")
      try awaitTruth("the driver of then") { try browser.text("#graph-list").contains("driven by Tween") }
      try stage.enter("stage")
      let then = try #require(try browser.ball())
      try browser.run("focus #canvas")
      try browser.run("key l")
      try awaitTruth("the present") { try browser.run("script document.getElementById('past').hidden").flag }
      try awaitTruth("the ball is where it is now") { try (browser.ball()?.x ?? then.x) < then.x - 50 }
      try awaitTruth("no moment in the address") { try !browser.run("address").text.contains("at=") }
    }
  }
}
