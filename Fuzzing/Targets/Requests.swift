import MotionCore
import MotionModel
import MotionWire

/// What clients ask, one message after the other, and what a runtime makes of it: a frame follows each.
enum Requests {
  static func run(_ bytes: [UInt8], _ registry: ExecutorRegistry) throws {
    let runtime = Runtime(registry: registry)
    for piece in Pieces(bytes) {
      guard let envelope = try? Envelope(decoding: piece) else { continue }
      do throws(Refusal) {
        try take(envelope.body, runtime)
      } catch {
        try Told.check(error)
      }
      try World.run(runtime, frames: 1)
    }
    try World.run(runtime, frames: 4)
    try World.checkpoint(runtime)
  }

  private static func take(_ body: Envelope.Body, _ runtime: Runtime) throws(Refusal) {
    switch body {
    case .commit(let commit): _ = try runtime.commit(commit.transaction, at: commit.at)
    case .stop(let targets): runtime.applyNow(.stop(targets))
    case .input(let input): try runtime.submit(input)
    case .inputValues(let input): try runtime.submit(input)
    case .query(let query):
      if let answer = try runtime.answer(query) { _ = Envelope(.answer(answer)).encoded() }
    default: break
    }
  }
}
