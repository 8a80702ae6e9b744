import MotionStreams
import Testing

struct PropertyOfTests {
  // Clauses: S4.6
  @Test func `a target's properties have the initial values of their names and keep their identity`() {
    let ball = MotionTarget("ball")
    #expect(propertyOf(ball).opacity.read() == 1 && propertyOf(ball).scale.read() == 1)
    #expect(propertyOf(ball).position.read() == [0, 0])
    propertyOf(ball).center.write([3, 4])
    #expect(ball.position == [3, 4])
    ball.rotation = 2
    #expect(propertyOf(ball).rotation.read() == 2)
    #expect(propertyOf(ball).position.inspected == "position of ball")
    #expect(propertyOf(ball).position === propertyOf(ball).center)
    #expect(propertyOf(ball).positionX === propertyOf(ball).positionX)
    #expect(propertyOf(ball).positionY === propertyOf(ball).positionY)
    let (pin, card) = (propertyOf(Pin()), propertyOf(Card()))
    #expect(pin.positionX === pin.positionX && card.positionY === card.positionY)
  }

  // Clauses: S4.6
  @Test func `a property requested by name has the initial value of that name`() {
    let ball = MotionTarget("ball")
    #expect(ball.number("opacity").read() == 1 && ball.number("scale").read() == 1 && ball.number("width").read() == 0)
    #expect(ball.number("master").read() == 1 && ball.number("shutter").read() == 1)
    #expect(ball.number("weight").read() == 0 && ball.number("charge", initially: 3).read() == 3)
    #expect(ball.number("opacity") === propertyOf(ball).opacity)
  }

  // Clauses: S4.7
  @Test func `lanes of the position are views of it`() {
    let ball = MotionTarget("ball")
    ball.position = [1, 2]
    propertyOf(ball).positionX.write(9)
    #expect(ball.position == [9, 2] && propertyOf(ball).positionY.read() == 2)
  }

  // Clauses: S4.7
  @Test func `a lane's observer gets each change of the lane, and no others`() {
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

  private final class Pin: PositionableElement {
    var position = Point(1, 2)
  }

  private final class Card: TransformableElement, Inspectable {
    var position = Point.zero
    var rotation = 0.5
    var scale = 1.0
    let inspected = "card"
  }

  // Clauses: S4.8
  @Test func `properties of an element read and write the element`() {
    let pin = Pin()
    let properties = propertyOf(pin)
    var heard: [Double] = []
    let subscription = properties.positionX.subscribe { heard.append($0) }
    properties.center.write([3, 4])
    properties.positionY.write(5)
    properties.positionX.write(6)
    #expect(pin.position == [6, 5] && properties.position.read() == [6, 5] && heard == [1, 3, 6])
    #expect(properties.position.inspected == "position of Pin")
    pin.position = [7, 7]
    #expect(properties.positionX.read() == 7)
    subscription.unsubscribe()
  }

  // Clauses: S4.8
  @Test func `a transformable element has rotation and scale properties too`() {
    let card = Card()
    let properties = propertyOf(card)
    var heard: [Double] = []
    let subscription = properties.rotation.subscribe { heard.append($0) }
    properties.rotation.write(2)
    properties.scale.write(3)
    #expect(card.rotation == 2 && card.scale == 3 && heard == [0.5, 2])
    #expect(properties.scale.inspected == "scale of card")
    subscription.unsubscribe()
  }

  @Test func `a target known by its protocol has its own properties`() {
    func rotation(of element: some TransformableElement) -> ReactiveProperty<Double> { propertyOf(element).rotation }
    let ball = MotionTarget("ball")
    #expect(rotation(of: ball) === propertyOf(ball).rotation)
  }

  // Clauses: S4.9
  @Test func `a property keeps neither an element nor a target, and then has the last value`() {
    struct Weak { weak var object: AnyObject? }
    var card: Card? = Card()
    let weakCard = Weak(object: card)
    let turned = card.map { propertyOf($0).rotation }
    turned?.write(3)
    #expect(card?.rotation == 3)
    card?.rotation = 4
    #expect(turned?.read() == 4)
    card = nil
    #expect(weakCard.object == nil && turned?.read() == 4)
    turned?.write(5)
    #expect(turned?.read() == 5)

    var ball: MotionTarget? = MotionTarget("ball")
    let weakBall = Weak(object: ball)
    let opacity = ball.map { propertyOf($0).opacity }
    ball = nil
    #expect(weakBall.object == nil && opacity?.read() == 1)
  }

  // Clauses: S4.10
  @Test func `a property may be made without an initial value`() {
    let place: ReactiveProperty<Point> = createProperty()
    let word: ReactiveProperty<String?> = createProperty(named: "word")
    #expect(place.read() == .zero && word.read() == nil && word.inspected == "word")
  }
}
