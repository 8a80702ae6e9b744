public import MotionStreams

/// Draws what an operator makes of streams, so that a test is a picture:
///
///     #expect(
///       marbles(.numbers("1-2-3-4"), .flags("-t--f-t")) { $0.valve(openWhenTrue: $1) } == """
///         1-2-3-4
///         -t--f-t
///         .valve(openWhenTrue: other())
///         --2---4
///         -^--!-^!
///         ^------!
///         """)
///
/// From above:
/// - what goes in: a line for each stream's values, a character for each frame, those of one frame in parentheses; below it
///   its states, `+` for active and `.` for at rest;
/// - the operator as its metadata tells it; the streams are called `input`, `other`, `third` and `fourth`;
/// - what comes out, values and states;
/// - for each stream that goes in, when it was subscribed to (`^`) and released (`!`). After the last frame everybody
///   leaves.
///
/// Lines of states without any are left out. In a frame the clock runs first; then each stream in turn says `+`, its values
/// and `.`, in this order.
///
/// - Parameters:
///   - lines: what goes in.
///   - clock: runs the frames; give it to operators that need one.
///   - seconds: how long a frame lasts.
///   - second: the frame before which a second observer subscribes; what it hears is drawn below the first's.
///   - show: how a result is drawn; what is longer than a character widens the columns.
///   - operation: what is drawn.
public func marbles<each Value, Result>(
  _ lines: repeat MarbleLine<each Value>, clock: ManualFrameClock = ManualFrameClock(), every seconds: Double = 1,
  second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: (repeat MotionObservable<each Value>) -> MotionObservable<Result>
) -> String {
  let diagram = MarbleDiagram(clock: clock, seconds: seconds)
  let stream = operation(repeat diagram.add(each lines))
  return diagram.draw(stream, second: second, show)
}

/// Draws what an operator makes of several streams of the same kind; see ``marbles(_:clock:every:second:show:_:)``.
public func marbles<Value, Result>(
  all lines: [MarbleLine<Value>], second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: ([MotionObservable<Value>]) -> MotionObservable<Result>
) -> String {
  let diagram = MarbleDiagram(clock: ManualFrameClock(), seconds: 1)
  return diagram.draw(operation(lines.map { diagram.add($0) }), second: second, show)
}

/// Draws what an operator makes of a gesture, below what the fingers do; see ``marbles(_:clock:every:second:show:_:)``.
///
///     -0-12-u
///     .onRecognitionState(: .changed)
///     ---cc--
///     .+----.
///     ^------!
///
/// A finger comes down where it is first, and moves to where it is then; `u` when it goes up, `c` when it is taken away. The
/// stream is the gesture's source, which says its states itself.
///
/// - Parameters:
///   - fingers: what each finger does.
///   - recognizer: what finds the gesture.
///   - place: where a finger is at a character; on the x axis at that digit if nothing else is said.
///   - seconds: how long a frame lasts.
///   - second: the frame before which a second observer subscribes.
///   - show: how a result is drawn.
///   - operation: what is drawn.
public func marbles<Recognizer: GestureRecognizer, Result>(
  fingers: String..., of recognizer: Recognizer,
  place: @escaping (Character) -> Point = { Point(MarbleText.digit($0), 0) }, every seconds: Double = 1,
  second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: (MotionObservable<Gesture<Recognizer>>) -> MotionObservable<Result>
) -> String {
  let line = MarbleLine.gesture(fingers, recognizer, place)
  return marbles(line, every: seconds, second: second, show: show) { operation($0) }
}

/// Draws what an operator makes of digits; see ``marbles(_:clock:every:second:show:_:)``.
public func marbles<Result>(
  _ input: String, states: String = "", second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: (MotionObservable<Double>) -> MotionObservable<Result>
) -> String {
  marbles(.numbers(input, states: states), second: second, show: show, operation)
}

/// Draws what an operator with a clock makes of digits; see ``marbles(_:clock:every:second:show:_:)``.
public func marbles<Result>(
  _ input: String, states: String = "", second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  frames operation: (MotionObservable<Double>, ManualFrameClock) -> MotionObservable<Result>
) -> String {
  let clock = ManualFrameClock()
  return marbles(.numbers(input, states: states), clock: clock, second: second, show: show) { operation($0, clock) }
}
