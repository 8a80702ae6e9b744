import MotionStreams
import Testing

struct PropertyOfTests {
  @Test func `a target's properties begin as their names say, and are always the same`() {
    let ball = MotionTarget("ball")
    #expect(propertyOf(ball).opacity.read() == 1 && propertyOf(ball).scale.read() == 1)
    #expect(propertyOf(ball).position.read() == [0, 0])
    propertyOf(ball).center.write([3, 4])
    #expect(ball.position == [3, 4])
    ball.rotation = 2
    #expect(propertyOf(ball).rotation.read() == 2)
    #expect(propertyOf(ball).position.inspected == "position of ball")
  }

  @Test func `lanes of the position are views of it`() {
    let ball = MotionTarget("ball")
    ball.position = [1, 2]
    propertyOf(ball).positionX.write(9)
    #expect(ball.position == [9, 2] && propertyOf(ball).positionY.read() == 2)
  }
}
