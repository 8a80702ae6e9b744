import MotionModel
import Testing

@testable import MotionCore

/// Plans of workers that have ended while limits hold their properties back.
struct ArrivalTests {
  // Clauses: S19.7
  @Test func `a plan that has ended arrives, although its worker misses a frame for another plan`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    var transaction = Transaction()
    transaction.limit("x", of: "ball", PropertyLimits(velocity: [10]))
    try scene.runtime.commit(transaction)
    try scene.add(.tween("y", to: 1000))
    let plan = try scene.add(.tween("x", to: 5))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 10, velocity: 400, to: "y", imposing: [.value, .velocity])
    try worker.write(1, 1, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    // The tween of x has ended, and its limit keeps x behind; that of y goes on.
    try worker.write(1, 14, velocity: 400, to: "y")
    try worker.write(1, 5, velocity: 0)
    worker.say(.finished(ExecutorHandle(1), plan, .completed))
    worker.send()
    scene.advance()
    #expect(scene.value("x") < 1)
    // The worker misses frames, and returns.
    scene.advance(3)
    #expect(!scene.ended().contains("\(plan) completed"), "it is not where it was sent")
    for step in 1...60 {
      try worker.write(1, 14 + 4 * Double(step), velocity: 400, to: "y")
      worker.send()
      scene.advance()
    }
    #expect(scene.value("x") == 5)
  }

  // Clauses: S10.12, S19.5
  @Test(arguments: [PropertyLimits(velocity: [1000]), .init(velocity: [1000], acceleration: [10_000])])
  func `limits that do not bind change nothing when a worker is late`(limits: PropertyLimits) throws {
    let scenes = [try Scene(), try Scene()]
    let workers = scenes.map { $0.worker("tween") }
    var transaction = Transaction()
    transaction.limit("x", of: "ball", limits)
    try scenes[1].runtime.commit(transaction)
    for scene in scenes { try scene.add(.tween("x", to: 1000)) }
    for (scene, worker) in zip(scenes, workers) {
      scene.advance()
      worker.say(.activity(ExecutorHandle(1), true))
    }
    for step in 1...40 {
      for (scene, worker) in zip(scenes, workers) {
        // It misses one frame, and later six.
        if step != 12, !(20..<26).contains(step) {
          try worker.write(1, Double(step), velocity: 100)
          worker.send()
        }
        scene.advance()
      }
      #expect(abs(scenes[0].value("x") - scenes[1].value("x")) < 1e-9, "step \(step)")
      #expect(abs(scenes[0].velocity("x") - scenes[1].velocity("x")) < 1e-6, "step \(step)")
    }
  }
}
