import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct FoundationTests {
  // Clauses: S3.3, S3.4
  @Test func `an operator says what is done with each value, and remembers for each subscription`() {
    #expect(
      marbles("1-2-3", states: "+---.", second: 2) {
        $0._nextOperator($0.metadata.with("sumTwice()")) { next in
          var sum = 0.0
          return { value in
            sum += value
            next(sum)
            next(sum)
          }
        }
      } == """
        1-2-3
        +---.
        .sumTwice()
        (11)-(33)-(66)
        +---.
        --(22)-(55)
        ----.
        ^-^--(!!)
        """)
  }

  // Clauses: S3.1, S3.2, S3.5
  @Test func `every value as another one`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._map($0.metadata.with("successor()")) { $0 + 1 } } == """
        1-2-3
        +---.
        .successor()
        2-3-4
        +---.
        ^----!
        """)
  }

  // Clauses: S3.1, S3.5
  @Test func `the values that pass a test`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0._filter($0.metadata.with("beyond(_:)", args: [1])) { $0 > 1 } } == """
        1-2-3
        +---.
        .beyond(: 1)
        --2-3
        +---.
        ^----!
        """)
  }

  // Clauses: S3.5
  @Test func `every value is looked at before it is passed on`() {
    var seen: [Double] = []
    #expect(
      marbles("1-2-3", states: "+---.") { $0._tap($0.metadata.with("look()")) { seen.append($0) } } == """
        1-2-3
        +---.
        .look()
        1-2-3
        +---.
        ^----!
        """)
    #expect(seen == [1, 2, 3])
  }

  // Clauses: S3.6
  @Test func `a window of the last values, shorter until there are enough`() {
    #expect(
      marbles("1-2-3", states: "+---.", second: 3) { $0._slidingWindow() } == """
        1     -     2     -     3
        +     -     -     -     .
        ._slidingWindow(size: 2)
        [1]   -     [1 2] -     [2 3]
        +     -     -     -     .
        -     -     -     -     [3]
        -     -     -     -     .
        ^     -     -     ^     -     (!!)
        """)
    #expect(
      marbles("123") { $0._slidingWindow(size: 0) } == """
        1   2   3
        ._slidingWindow(size: 0)
        [1] [2] [3]
        ^   -   -   !
        """)
  }

  // Clauses: S3.9
  @Test func `reading takes what is said at once and stays subscribed to nothing`() {
    var read: Double?
    #expect(
      marbles("1-2") { input in
        let starting = MotionObservable<Double>(input.metadata) { observer in
          observer.next(8)
          observer.next(9)
          let subscription = input.subscribe(observer: observer)
          return subscription.unsubscribe
        }
        read = starting._read()
        return input.rewriteTo(read ?? 0)
      } == """
        1-2
        .rewriteTo(: 9.0)
        9-9
        (^!^)--!
        """)
    #expect(read == 9)
    #expect(MotionSubject<Int>().stream._read() == nil)
  }
}
