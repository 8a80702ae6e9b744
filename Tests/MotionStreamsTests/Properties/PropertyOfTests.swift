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

  @Test func `who observes a lane hears of it whoever changes it, and of nothing else`() {
    let ball = MotionTarget("ball")
    var heard: [Double] = []
    let subscription = propertyOf(ball).positionX.subscribe { heard.append($0) }
    propertyOf(ball).position.write([5, 6])
    propertyOf(ball).positionX.write(7)
    propertyOf(ball).positionY.write(8)
    ball.position.y = 9
    #expect(heard == [0, 5, 7] && ball.position == [7, 9])
    subscription.unsubscribe()
    ball.position.x = 1
    #expect(heard.count == 3)
  }
}
