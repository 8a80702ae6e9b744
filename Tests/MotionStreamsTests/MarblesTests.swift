import MotionModel
import MotionStreams
import MotionTestKit
import Testing

/// The diagrams that other tests rely on show the actual events.
struct MarblesTests {
  @Test func `several values of a frame are in parentheses, after an active and before a rest state`() {
    var order: [String] = []
    let picture = marbles("(12)-3", states: "+-.") { input in
      MotionObservable<Double>(input.metadata.with("same()")) { observer in
        let subscription = input.subscribe(
          next: {
            order.append(MarbleText.of($0))
            observer.next($0)
          },
          state: {
            order.append(MarbleText.of($0))
            observer.state($0)
          })
        return { subscription.unsubscribe() }
      }
    }
    #expect(
      picture == """
        (12)-3
        +-.
        .same()
        (12)-3
        +-.
        ^--!
        """)
    #expect(order == ["+", "1", "2", "3", "."])
  }

  @Test func `an early release and another subscription are drawn`() {
    let restless = marbles("123") { input in
      MotionObservable<Double>(input.metadata.with("restless()")) { observer in
        var subscription: Subscription?
        func subscribe() {
          subscription = input.subscribe {
            observer.next($0)
            if $0 == 2 { subscribe() }
          }
        }
        subscribe()
        return { subscription?.unsubscribe() }
      }
    }
    // It subscribes to the new one before it leaves the old one.
    #expect(
      restless == """
        123
        .restless()
        123
        ^(^!)-!
        """)
  }

  @Test func `a missing release is drawn`() {
    var kept: Subscription?
    #expect(
      marbles("1") { input in
        MotionObservable<Double>(input.metadata.with("leak()")) { observer in
          kept = input.subscribe { observer.next($0) }
          return noopDisconnect
        }
      } == """
        1
        .leak()
        1
        ^
        """)
    kept?.unsubscribe()
  }

  @Test func `an entry longer than a character widens every column`() {
    #expect(
      marbles("1-2", states: "+-.") { $0.scaled(by: 10) } == """
        1  -  2
        +  -  .
        .scaled(by: 10.0)
        10 -  20
        +  -  .
        ^  -  -  !
        """)
  }

  @Test func `the clock runs before the values of a frame, by the frame's duration`() {
    let clock = ManualFrameClock()
    var times: [Double] = []
    _ = marbles(.numbers("1-2"), clock: clock, every: 0.5) { $0._tap($0.metadata) { _ in times.append(clock.time) } }
    #expect(times == [0.5, 1.5])
  }

  @Test func `streams of a list are drawn in order, with the function's own name`() {
    #expect(
      marbles(all: [.flags("t"), .flags("f")]) { anyOf($0) } == """
        t
        f
        anyOf(: input(), other())
        t
        ^!
        ^!
        """)
  }

  @Test func `pointers in a diagram go down, move, go up and are cancelled`() {
    var phases: [String] = []
    _ = marbles(fingers: "-12u-3c", of: TranslationGestureRecognizer(slop: 0), every: 0.1) {
      $0._tap($0.metadata) {
        let (place, time) = ($0.recognizer.centroid.x, $0.recognizer.pointers.time)
        phases.append("\($0.state) at \(Int(place)) in frame \(Int((10 * time).rounded()))")
      }
    }
    #expect(
      phases == [
        "possible at 0 in frame 0", "began at 1 in frame 2", "changed at 2 in frame 3", "ended at 2 in frame 4",
        "began at 3 in frame 6", "cancelled at 3 in frame 7",
      ])
  }

  @Test func `values are drawn in short form`() {
    #expect(MarbleText.of(2.0) == "2" && MarbleText.of(2.5) == "2.5" && MarbleText.of(-Double.nan) == "nan")
    #expect(MarbleText.of(true) == "t" && MarbleText.of(MotionState.atRest) == "." && MarbleText.of("x") == "x")
    #expect(MarbleText.of(Point(1, 2.5)) == "1,2.5" && MarbleText.of([1.0, 2.0]) == "[1 2]")
    #expect(MarbleText.digit("7") == 7 && MarbleText.digit("x").isNaN)
  }
}
