public import MotionStreams

/// Draws the result of an operator on streams, so that a test is a picture:
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
/// From top to bottom:
/// - the inputs: a line for each stream's values, a character for each frame, those of one frame in parentheses; below
///   it its states, `+` for active and `.` for at rest;
/// - the operator as its metadata prints it; the streams are called `input`, `other`, `third` and `fourth`;
/// - the output, values and states;
/// - for each input, when it was subscribed to (`^`) and released (`!`). After the last frame all observers
///   unsubscribe.
///
/// Empty lines of states are left out. In each frame the clock runs first; then each stream in turn emits `+`, its
/// values and `.`, in this order.
///
/// - Parameters:
///   - lines: the inputs.
///   - clock: runs the frames; pass it to operators that need one.
///   - seconds: the length of a frame.
///   - second: the frame before which a second observer subscribes; its output is drawn below the first's.
///   - show: how a result is drawn; a text longer than a character widens the columns.
///   - operation: the operator to draw.
public func marbles<each Value, Result>(
  _ lines: repeat MarbleLine<each Value>, clock: ManualFrameClock = ManualFrameClock(), every seconds: Double = 1,
  second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: (repeat MotionObservable<each Value>) -> MotionObservable<Result>
) -> String {
  let diagram = MarbleDiagram(clock: clock, seconds: seconds)
  let stream = operation(repeat diagram.add(each lines))
  return diagram.draw(stream, second: second, show)
}

/// Draws the result of an operator on several streams of the same kind; see ``marbles(_:clock:every:second:show:_:)``.
public func marbles<Value, Result>(
  all lines: [MarbleLine<Value>], second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: ([MotionObservable<Value>]) -> MotionObservable<Result>
) -> String {
  let diagram = MarbleDiagram(clock: ManualFrameClock(), seconds: 1)
  return diagram.draw(operation(lines.map { diagram.add($0) }), second: second, show)
}

/// Draws the result of an operator on a gesture, below the events of the fingers; see
/// ``marbles(_:clock:every:second:show:_:)``.
///
///     -0-12-u
///     .onRecognitionState(: .changed)
///     ---cc--
///     .+----.
///     ^------!
///
/// The first character of a finger puts it down at that place, later ones move it; `u` lifts it, `c` cancels it. The
/// stream is the gesture's source, which emits its states itself.
///
/// - Parameters:
///   - fingers: the events of each finger.
///   - recognizer: recognises the gesture.
///   - place: the place for a character; by default on the x axis at that digit.
///   - clock: runs the frames; pass it to operators that need one.
///   - seconds: the length of a frame.
///   - second: the frame before which a second observer subscribes.
///   - show: how a result is drawn.
///   - operation: the operator to draw.
public func marbles<Recognizer: GestureRecognizer, Result>(
  fingers: String..., of recognizer: Recognizer,
  place: @escaping (Character) -> Point = { Point(MarbleText.digit($0), 0) },
  clock: ManualFrameClock = ManualFrameClock(), every seconds: Double = 1, second: Int? = nil,
  show: @escaping (Result) -> String = MarbleText.of,
  _ operation: (MotionObservable<Gesture<Recognizer>>) -> MotionObservable<Result>
) -> String {
  let line = MarbleLine.gesture(fingers, recognizer, place)
  return marbles(line, clock: clock, every: seconds, second: second, show: show) { operation($0) }
}

/// Draws the result of an operator on digits; see ``marbles(_:clock:every:second:show:_:)``.
public func marbles<Result>(
  _ input: String, states: String = "", second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: (MotionObservable<Double>) -> MotionObservable<Result>
) -> String {
  marbles(.numbers(input, states: states), second: second, show: show, operation)
}

/// Draws the result of an operator with a clock on digits; see ``marbles(_:clock:every:second:show:_:)``.
public func marbles<Result>(
  _ input: String, states: String = "", second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  frames operation: (MotionObservable<Double>, ManualFrameClock) -> MotionObservable<Result>
) -> String {
  let clock = ManualFrameClock()
  return marbles(.numbers(input, states: states), clock: clock, second: second, show: show) { operation($0, clock) }
}
