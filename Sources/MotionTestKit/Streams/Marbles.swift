import MotionModel
public import MotionStreams

/// Draws what an operator makes of a stream, so that a test is a picture:
///
///     #expect(
///       marbles("1-12-2-1", states: "+------.") { $0.dedupe() } == """
///         1-12-2-1
///         +------.
///         .dedupe()
///         1--2---1
///         +------.
///         ^-------!
///         """)
///
/// From above: the values that go in, a character for each frame, those of one frame in parentheses; the states that go
/// in, `+` for active and `.` for at rest; the operator as its metadata tells it; what comes out; and when upstream was
/// subscribed to (`^`) and released (`!`), which is after the last frame if nothing else is said. Lines of states without
/// any are left out. In a frame `+` comes before its values and `.` after them.
///
/// - Parameters:
///   - input: the values, each read by `value`.
///   - states: the states, on the same frames.
///   - second: the frame before which a second observer subscribes; what it hears is drawn below the first's.
///   - value: what a character stands for.
///   - show: how a result is drawn; what is longer than a character widens the columns.
///   - operator: what is drawn; it also gets the clock that the frames come from.
public func marbles<Value, Result>(
  _ input: String, states: String = "", second: Int? = nil, value: @escaping (Character) -> Value,
  show: @escaping (Result) -> String,
  frames operation: (MotionObservable<Value>, ManualFrameClock) -> MotionObservable<Result>
) -> String {
  let diagram = MarbleDiagram<Value, Result>(input: Cells(input), states: Cells(states), value: value, show: show)
  return diagram.draw(operation, second: second)
}

/// Draws what an operator makes of digits; see ``marbles(_:states:second:value:show:frames:)``.
public func marbles<Result>(
  _ input: String, states: String = "", second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  _ operation: (MotionObservable<Double>) -> MotionObservable<Result>
) -> String {
  marbles(input, states: states, second: second, value: MarbleText.digit, show: show) { stream, _ in operation(stream) }
}

/// Draws what an operator with a clock makes of digits; see ``marbles(_:states:second:value:show:frames:)``.
public func marbles<Result>(
  _ input: String, states: String = "", second: Int? = nil, show: @escaping (Result) -> String = MarbleText.of,
  frames operation: (MotionObservable<Double>, ManualFrameClock) -> MotionObservable<Result>
) -> String {
  marbles(input, states: states, second: second, value: MarbleText.digit, show: show, frames: operation)
}

/// How values are read and drawn.
public enum MarbleText {
  /// The number of a digit; no number for anything else.
  public static func digit(_ character: Character) -> Double { character.wholeNumberValue.map(Double.init) ?? .nan }

  /// A whole number without its fraction, a flag as `t` or `f`, anything else as its text.
  public static func of<Value>(_ value: Value) -> String {
    switch value {
    case let number as Double where number == number.rounded() && abs(number) < 1e15: "\(Int(number))"
    case let flag as Bool: flag ? "t" : "f"
    case let point as SIMD2<Double>: "\(of(point.x)),\(of(point.y))"
    case let state as MotionState: state == .active ? "+" : "."
    default: "\(value)"
    }
  }
}

/// What happens in each frame of a line.
private struct Cells {
  var cells: [[Character]] = []

  init(_ line: String) {
    var group: [Character]?
    for character in line {
      switch character {
      case "(": group = []
      case ")":
        cells.append(group ?? [])
        group = nil
      case _ where group != nil: group?.append(character)
      case "-": cells.append([])
      default: cells.append([character])
      }
    }
  }

  subscript(frame: Int) -> [Character] { cells.indices.contains(frame) ? cells[frame] : [] }
}

/// What was heard, frame by frame.
private final class Track {
  var cells: [[String]]

  init(frames: Int) { cells = Array(repeating: [], count: frames) }

  func note(_ text: String, at frame: Int) { cells[frame].append(text) }

  var isEmpty: Bool { cells.allSatisfy(\.isEmpty) }
}

private struct MarbleDiagram<Value, Result> {
  let input: Cells
  let states: Cells
  let value: (Character) -> Value
  let show: (Result) -> String

  private var count: Int { max(input.cells.count, states.cells.count) }

  func draw(
    _ operation: (MotionObservable<Value>, ManualFrameClock) -> MotionObservable<Result>, second: Int?
  ) -> String {
    let clock = ManualFrameClock()
    let upstream = Track(frames: count + 1)
    var frame = 0
    var inputs = ObserverTable<Value>()
    let source = MotionObservable<Value>(Metadata("input")) { observer in
      upstream.note("^", at: frame)
      let id = inputs.add(observer)
      return {
        inputs.remove(id)
        upstream.note("!", at: frame)
      }
    }
    let stream = operation(source, clock)
    let first = Ear(stream, frames: count, show) { frame }
    var other: Ear<Result>?
    for number in 0..<count {
      frame = number
      if number == second { other = Ear(stream, frames: count, show) { frame } }
      clock.run(Frame(number: UInt64(number + 1), time: Double(number + 1), dt: 1))
      if states[number].contains("+") { for input in inputs.all { input.state(.active) } }
      for character in self.input[number] { for input in inputs.all { input.next(value(character)) } }
      if states[number].contains(".") { for input in inputs.all { input.state(.atRest) } }
    }
    frame = count
    first.leave()
    other?.leave()
    let texts = [Self.texts(input, count), Self.texts(states, count)]
    return lines(texts, name(of: stream), [first, other].compactMap(\.self), upstream)
  }

  private func name(of stream: MotionObservable<Result>) -> String {
    stream.metadata.calls.dropFirst().map { "." + $0.text }.joined(separator: "\n")
  }

  private func lines(_ inputs: [Track], _ name: String, _ ears: [Ear<Result>], _ upstream: Track) -> String {
    let heard = ears.flatMap { [$0.values, $0.states] }
    let all = inputs + heard + [upstream]
    let isWide = all.contains { $0.cells.joined().contains { $0.count > 1 } }
    let width = all.flatMap { $0.cells.map { Self.cell($0).count } }.max() ?? 1
    func line(_ track: Track) -> String {
      let cells = track.cells.map(Self.cell)
      let text = isWide ? cells.map { $0.padded(to: width) }.joined(separator: " ") : cells.joined()
      return text.trimmingEnd(upstream === track)
    }
    var result = [line(inputs[0])]
    if !inputs[1].isEmpty { result.append(line(inputs[1])) }
    result.append(name)
    for ear in ears {
      result.append(line(ear.values))
      if !ear.states.isEmpty { result.append(line(ear.states)) }
    }
    result.append(line(upstream))
    return result.joined(separator: "\n")
  }

  private static func texts(_ cells: Cells, _ count: Int) -> Track {
    let track = Track(frames: count)
    for frame in 0..<count { track.cells[frame] = cells[frame].map { String($0) } }
    return track
  }

  private static func cell(_ texts: [String]) -> String {
    switch texts.count {
    case 0: "-"
    case 1: texts[0]
    default: "(" + texts.joined(separator: texts.allSatisfy { $0.count == 1 } ? "" : " ") + ")"
    }
  }
}

/// An observer that writes down what it hears.
private final class Ear<Result> {
  let values: Track
  let states: Track
  private var subscription: Subscription?

  init(
    _ stream: MotionObservable<Result>, frames: Int, _ show: @escaping (Result) -> String, at frame: @escaping () -> Int
  ) {
    let (values, states) = (Track(frames: frames), Track(frames: frames))
    (self.values, self.states) = (values, states)
    subscription = stream.subscribe(
      next: { values.note(show($0), at: min(frame(), frames - 1)) },
      state: { states.note($0 == .active ? "+" : ".", at: min(frame(), frames - 1)) })
  }

  func leave() { subscription?.unsubscribe() }
}

/// The observers of the input.
private struct ObserverTable<Value> {
  private var observers: [(id: Int, observer: MotionObserver<Value>)] = []
  private var last = 0

  var all: [MotionObserver<Value>] { observers.map(\.observer) }

  mutating func add(_ observer: MotionObserver<Value>) -> Int {
    last += 1
    observers.append((last, observer))
    return last
  }

  mutating func remove(_ id: Int) { observers.removeAll { $0.id == id } }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }

  /// Without what says nothing at the end of the last line.
  fileprivate func trimmingEnd(_ isUpstream: Bool) -> String {
    var text = self
    while text.last == " " || (isUpstream && text.last == "-") { text.removeLast() }
    return text
  }
}
