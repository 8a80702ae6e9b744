import MotionStreams
import Testing

struct MetadataTests {
  private enum Phase { case ended }
  private enum Way {
    case by(Int)
    case to(x: Int, phase: Phase)
  }
  private final class Nameless {}
  private struct Ball: Inspectable { let inspected = "ball" }

  // Clauses: S2.1, S2.2, S2.3
  @Test func `metadata describes labels and arguments of every kind`() {
    let chain = Metadata("drag", args: [Ball()]).with("x()").with("rewriteRange(start:end:)", args: [0.0, 2.5])
      .with("state(is:)", args: [Phase.ended]).with("log(_:)", args: ["here"]).with("any(of:)", args: [[1, 2]])
      .with("moved(_:by:)", args: [true, Way.by(3)]).with("at(_:)", args: [Point(1, 2)])
      .with("maybe(_:)", args: [Int?.none as Any]).with("go(_:)", args: [Way.to(x: 1, phase: .ended)])
    #expect(
      chain.debugDescription == """
        drag(: ball)
          .x()
          .rewriteRange(start: 0.0, end: 2.5)
          .state(is: .ended)
          .log(: here)
          .any(of: 1, 2)
          .moved(: true, by: .by(3))
          .at(: (1.0, 2.0))
          .maybe(: nil)
          .go(: .to(x: 1, phase: .ended))
        """)
  }

  // Clauses: S2.6
  @Test func `a child does not change its parent`() {
    let parent = Metadata("source")
    _ = parent.with("x()")
    #expect(parent.debugDescription == "source()")
  }

  // Clauses: S2.4
  @Test func `an object without a name shows its type and address`() throws {
    let object = Nameless()
    let text = Metadata("drag", args: [object]).debugDescription
    let address = String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    #expect(text.hasSuffix(address + "))"), "\(text)")
    #expect(text.wholeMatch(of: /drag\(: Nameless::ObjectIdentifier\(0x[0-9a-f]{16}\)\)/) != nil, "\(text)")
  }

  // Clauses: S2.5
  @Test func `metadata is the same in each run`() {
    func chain() -> String {
      let ball = MotionTarget("ball")
      let spring = Spring(to: ReactiveProperty(Point(1, 2), named: "anchor"), initialValue: propertyOf(ball).position)
      return springSource(spring, ManualFrameClock()).x().offset(by: propertyOf(ball).rotation.asStream())
        .metadata.debugDescription
    }
    #expect(chain() == chain())
    #expect(
      chain() == """
        spring(to: anchor, from: position of ball)
          .x()
          .offset(by: rotation of ball())
        """)
  }

  private struct Choice {
    let colours: Set<String>
    let sizes: [String: [Int]]
    let pair: (Set<Int>, last: Bool)
    let balls = [Ball()]
  }

  // Clauses: S2.3, S2.5
  @Test func `sets and dictionaries are described in order, at any depth`() {
    // In the order of hashing, which differs at each run, five elements have this order once in 120 runs.
    let colours: Set = ["blue", "green", "red", "white", "yellow"]
    let sizes = ["e": [1, 2], "d": [], "c": [3], "b": [4], "a": [5]]
    let choice = Choice(colours: colours, sizes: sizes, pair: ([3, 1, 2], last: true))
    func text(_ argument: Any) -> String { Metadata("is(_:)", args: [argument]).debugDescription }
    #expect(text(colours) == "is(: blue, green, red, white, yellow)")
    #expect(text(sizes) == "is(: [a: [5], b: [4], c: [3], d: [], e: [1, 2]])")
    #expect(text([colours, ["black"]]) == "is(: [blue, green, red, white, yellow], [black])")
    #expect(
      text(choice) == """
        is(: Choice(colours: [blue, green, red, white, yellow], \
        sizes: [a: [5], b: [4], c: [3], d: [], e: [1, 2]], pair: ([1, 2, 3], last: true), balls: [ball]))
        """)
    #expect(text(Optional(choice.colours) as Any) == text(colours))
    #expect(text(Duration.milliseconds(5)) == "is(: 0.005 seconds)", "what names itself does")
  }

  // Clauses: S2.1, S2.4, S2.8, S2.14
  @Test func `the example of the Metadata document prints as it is written there`() {
    let pan = Gesture(
      TranslationGestureRecognizer(), named: "UIPanGestureRecognizer::ObjectIdentifier(0x00007ff41321bdd0)")
    let view = CoordinateSpace("UIView::ObjectIdentifier(0x00007ff41321ba90)")
    let spring = Spring<Double>(
      to: createProperty(), initialValue: createProperty(),
      named: "SpringTo<CGFloat>::ObjectIdentifier(0x0000600000666800)")
    let stream = gestureSource(pan).state(is: .ended).velocity(in: view).y()
    let runtime = MotionRuntime()
    let connection = runtime.write(stream, to: spring.initialVelocity)
    #expect(
      connection.metadata.debugDescription == """
        drag(: UIPanGestureRecognizer::ObjectIdentifier(0x00007ff41321bdd0))
          .state(is: .ended)
          .velocity(in: UIView::ObjectIdentifier(0x00007ff41321ba90))
          .y()
          .writeTo(initialVelocity, of: SpringTo<CGFloat>::ObjectIdentifier(0x0000600000666800))
        """)
  }

  // Clauses: S2.15
  @Test func `metadata has the name and the arguments of its last call`() {
    let source = Metadata("drag", args: ["pan"])
    #expect(source.name == "drag" && source.args.count == 1 && source.args.first as? String == "pan")
    let operation = source.with("x()")
    #expect(operation.name == "x()" && operation.args.isEmpty)
  }

  // Clauses: S2.15
  @Test func `a stream and the basic operators need no metadata`() {
    let stream = MotionObservable<Double> { observer in
      observer.next(2)
      return noopDisconnect
    }
    let positive = stream._map { $0 + 1 }._filter { $0 > 0 }._tap { _ in }
    let chain = positive._nextOperator { (next: @escaping (Double) -> Void) in { next($0 * 2) } }
      ._reactiveMap(inputs: .constant(10.0)) { $0 + $1 }
    #expect(chain._read() == 16)
    #expect(
      chain.metadata.debugDescription == """
        stream()
          ._map()
          ._filter()
          ._tap()
          ._nextOperator()
          ._reactiveMap()
        """)
  }
}
