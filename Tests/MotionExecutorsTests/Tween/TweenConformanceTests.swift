import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

@Suite struct TweenConformanceTests {
  @Test func `tweens conform to the contract of executors`() {
    let conformance = ExecutorConformance(
      plans: [
        .tween("opacity", to: 0),
        .tween("position", from: [10, 20], to: [300, -40], easing: "ease-in-out", duration: .milliseconds(700)),
        .tween(
          "level", values: [1, 5, 2], offsets: [0, 0.2, 1], easing: ["ease-out", "ease-in"], duration: .seconds(1)),
        .tween("rotation", to: 3, delay: .milliseconds(30), repetition: .times(3), autoreverses: true),
        .tween("level", to: 3, duration: .seconds(1), carries: false),
        .tween("level", to: 3, repetition: .forever, autoreverses: true),
      ],
      refused: [
        .tween("level", to: 1, easing: "bouncy"), .tween("level", values: [1, 2, 3], offsets: [0, 1, 0.5]),
      ]
    ) {
      RecordingExecutorHost(
        ExecutorDeclaration(TweenExecutor.self), properties: ["level": PropertyState(1, velocity: 12)])
    }
    #expect(conformance.violations() == [])
  }
}
