import MotionExecutors
import Testing

@Suite struct PointerTraceTests {
  private func refusal(of text: String) -> PointerTraceError? {
    do {
      _ = try PointerTrace(parsing: Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func readsLines() throws {
    let text = """
      {"time": 0, "pointer": 1, "phase": "down", "at": [10, 20]}

      {"pointer": 1, "time": 0.5, "at": [-1.5, 2e1], "phase": "up"}

      """
    let trace = try PointerTrace(parsing: Array(text.utf8))
    #expect(
      trace.events == [
        .init(time: 0, pointer: 1, phase: .down, location: [10, 20]),
        .init(time: 0.5, pointer: 1, phase: .up, location: [-1.5, 20]),
      ])
  }

  @Test(arguments: [
    ("", 1, "no event"),
    ("x", 1, "column 1"),
    ("[]", 1, "an array"),
    (#"{"time": 0, "pointer": 1, "phase": "down"}"#, 1, "without"),
    (#"{"time": 0, "pointer": 1, "phase": "hover", "at": [0, 0]}"#, 1, "without"),
    (#"{"time": 0, "pointer": 1.5, "phase": "down", "at": [0, 0]}"#, 1, "without"),
    (#"{"time": 0, "pointer": 1, "phase": "down", "at": [0]}"#, 1, "without"),
    (#"{"time": 0, "pointer": 1, "phase": "down", "at": [0, 0], "force": 1}"#, 1, "force"),
    ("\n" + #"{"time": 0, "pointer": 1, "phase": "move", "at": [0, 0]}"#, 2, "not down"),
    (#"{"time": 0, "pointer": 1, "phase": "down", "at": [0, 0]}"#, 1, "still down"),
    (#"{"time": -1, "pointer": 1, "phase": "down", "at": [0, 0]}"#, 1, "follows"),
  ]) func refusesWhatIsNone(text: String, line: Int, problem: String) throws {
    let error = try #require(refusal(of: text))
    #expect(error.line == line && error.problem.contains(problem) && !error.remedy.isEmpty, "\(error)")
  }

  @Test func refusesASecondTouch() throws {
    let touch: [PointerTrace.Event] = [
      .init(time: 0, pointer: 1, phase: .down, location: .zero),
      .init(time: 1, pointer: 1, phase: .up, location: .zero),
    ]
    #expect(throws: PointerTraceError.self) {
      try PointerTrace(touch + [.init(time: 2, pointer: 1, phase: .down, location: .zero)])
    }
    #expect(throws: PointerTraceError.self) {
      try PointerTrace([touch[0], .init(time: 0.5, pointer: 1, phase: .down, location: .zero), touch[1]])
    }
  }
}
