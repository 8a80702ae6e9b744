import Testing

@testable import MotionPhysics

@Suite struct MoveCursorTests {
  @Test func cursorReturnsTheStatesOfTheMoveInAnyOrder() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<2_000 {
      let move = try generator.insideCase().plan().move()
      var cursor = MoveCursor(move)
      for _ in 0..<20 {
        let time = move.duration * generator.uniform(-0.1...1.1)
        #expect(cursor.state(at: time) == move.state(at: time))
      }
      for segment in move.segments { #expect(cursor.state(at: segment.start) == segment.state) }
    }
  }

  @Test func cursorOfAnEmptyMoveReturnsItsEnds() throws {
    let move = try TimeOptimalMove.solve(from: MoveState(position: 1), to: 2, limits: MoveLimits())
    var cursor = MoveCursor(move)
    #expect(cursor.state(at: -1).position == 1)
    #expect(cursor.state(at: 0).position == 2)
  }
}
