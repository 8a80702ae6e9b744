import MotionModel
public import MotionStreams

/// An input stream of a marble diagram: its values and states in each frame.
public struct MarbleLine<Value> {
  /// The lines to draw: the values and the states, or the events of each finger.
  let drawn: [MarbleCells]
  /// Makes the stream, and a closure that emits the events of a frame.
  let begin: (_ name: String) -> (stream: MotionObservable<Value>, play: (Frame, _ index: Int) -> Void)

  /// A stream of these values, each parsed by `value`, and of these states.
  public init(_ values: String, states: String = "", value: @escaping (Character) -> Value) {
    let (values, states) = (MarbleCells(values), MarbleCells(states))
    drawn = [values, states]
    begin = { name in
      let observers = MarbleObservers<Value>()
      let stream = MotionObservable<Value>(Metadata(name), connect: observers.add)
      return (
        stream,
        { _, index in
          if states[index].contains("+") { for observer in observers.all { observer.state(.active) } }
          for character in values[index] { for observer in observers.all { observer.next(value(character)) } }
          if states[index].contains(".") { for observer in observers.all { observer.state(.atRest) } }
        }
      )
    }
  }
}

extension MarbleLine<Double> {
  /// A stream of digits.
  public static func numbers(_ values: String, states: String = "") -> MarbleLine {
    MarbleLine(values, states: states, value: MarbleText.digit)
  }
}

extension MarbleLine<Bool> {
  /// A stream of flags: `t`, and anything else for false.
  public static func flags(_ values: String, states: String = "") -> MarbleLine {
    MarbleLine(values, states: states) { $0 == "t" }
  }
}

extension MarbleLine<Point> {
  /// A stream of points, in which each character stands for a point: `["a": [1, 2]]`. An unknown character is zero.
  public static func points(
    _ values: String, states: String = "", _ points: KeyValuePairs<Character, Point>
  ) -> MarbleLine {
    MarbleLine(values, states: states) { character in points.first { $0.key == character }?.value ?? .zero }
  }
}

extension MarbleLine {
  /// A gesture, and the events of each finger; see ``marbles(fingers:of:place:every:second:show:_:)``.
  static func gesture<Recognizer: GestureRecognizer>(
    _ fingers: [String], _ recognizer: Recognizer, _ place: @escaping (Character) -> Point
  ) -> MarbleLine where Value == Gesture<Recognizer> {
    let gesture = Gesture(recognizer)
    var hands = fingers.enumerated().map { MarbleFinger(UInt64($0.offset + 1), MarbleCells($0.element), place) }
    return MarbleLine(drawn: hands.map(\.cells)) { _ in
      (
        gestureSource(gesture),
        { frame, index in
          for hand in hands.indices {
            for event in hands[hand].events(index, at: frame.time) { gesture.handle(event) }
          }
        }
      )
    }
  }

  private init(
    drawn: [MarbleCells],
    begin: @escaping (String) -> (stream: MotionObservable<Value>, play: (Frame, Int) -> Void)
  ) {
    self.drawn = drawn
    self.begin = begin
  }
}

/// A finger that follows a line.
private struct MarbleFinger {
  let cells: MarbleCells
  private let id: UInt64
  private let place: (Character) -> Point
  private var last: Point?

  init(_ id: UInt64, _ cells: MarbleCells, _ place: @escaping (Character) -> Point) {
    self.id = id
    self.cells = cells
    self.place = place
  }

  mutating func events(_ index: Int, at time: Double) -> [PointerEvent] {
    var events: [PointerEvent] = []
    for character in cells[index] {
      let leaves: PointerEvent.Phase? = character == "u" ? .up : character == "c" ? .cancel : nil
      let location = leaves == nil ? place(character) : last ?? .zero
      events.append(PointerEvent(id: id, leaves ?? (last == nil ? .down : .move), at: location, time: time))
      last = leaves == nil ? location : nil
    }
    return events
  }
}

/// The observers of a line.
private final class MarbleObservers<Value> {
  private var observers: [(id: Int, observer: MotionObserver<Value>)] = []
  private var last = 0

  var all: [MotionObserver<Value>] { observers.map(\.observer) }

  func add(_ observer: MotionObserver<Value>) -> Disconnect {
    last += 1
    let id = last
    observers.append((id, observer))
    return { self.observers.removeAll { $0.id == id } }
  }
}
