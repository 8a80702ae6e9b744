import MotionModel
import MotionStreams

/// A marble diagram while it is being recorded.
final class MarbleDiagram {
  /// An input stream.
  private struct Lane {
    let drawn: [MarbleTrack]
    let source: String
    let lifeline: MarbleTrack
    let play: (Frame, Int) -> Void
  }

  private let clock: ManualFrameClock
  private let seconds: Double
  private var lanes: [Lane] = []
  /// The number of frames.
  private var count = 0
  /// The current frame; `count` after the last.
  private var frame = 0

  init(clock: ManualFrameClock, seconds: Double) {
    self.clock = clock
    self.seconds = seconds
  }

  /// Adds an input stream; the result records when it is subscribed to and released.
  func add<Value>(_ line: MarbleLine<Value>) -> MotionObservable<Value> {
    let names = ["input", "other", "third", "fourth"]
    let (stream, play) = line.begin(lanes.count < names.count ? names[lanes.count] : "input\(lanes.count)")
    let lifeline = MarbleTrack()
    lanes.append(
      Lane(
        drawn: line.drawn.map(MarbleTrack.init), source: stream.metadata.debugDescription, lifeline: lifeline,
        play: play))
    count = max(count, line.drawn.map(\.count).max() ?? 0)
    return MotionObservable<Value>(stream.metadata) { [unowned self] observer in
      lifeline.note("^", at: frame)
      let subscription = stream.subscribe(observer: observer)
      return { [self] in
        subscription.unsubscribe()
        lifeline.note("!", at: frame)
      }
    }
  }

  /// Runs all frames, and draws the result.
  func draw<Result>(
    _ stream: MotionObservable<Result>, second: Int?, _ show: @escaping (Result) -> String
  ) -> String {
    var ears = [listen(to: stream, show)]
    for index in 0..<count {
      frame = index
      if index == second { ears.append(listen(to: stream, show)) }
      let next = Frame(number: UInt64(index + 1), time: Double(index + 1) * seconds, dt: seconds)
      clock.run(next)
      for lane in lanes { lane.play(next, index) }
    }
    frame = count
    for ear in ears { ear.subscription.unsubscribe() }
    return text(name(of: stream), heard: ears.flatMap { [($0.values, true), ($0.states, false)] })
  }

  private typealias Ear = (values: MarbleTrack, states: MarbleTrack, subscription: Subscription)

  private func listen<Result>(to stream: MotionObservable<Result>, _ show: @escaping (Result) -> String) -> Ear {
    let (values, states) = (MarbleTrack(), MarbleTrack())
    let subscription = stream.subscribe(
      next: { values.note(show($0), at: self.frame) },
      state: { states.note(MarbleText.of($0), at: self.frame) })
    return (values, states, subscription)
  }

  /// The operators, without the stream that they are applied to.
  private func name<Result>(of stream: MotionObservable<Result>) -> String {
    let calls = stream.metadata.calls.map(\.text)
    let operators = calls.dropFirst().map { "." + $0 }
    let source = calls.first.map { first in lanes.contains { $0.source == first } ? [] : [first] } ?? []
    return (source + operators).joined(separator: "\n")
  }

  /// - Parameter heard: the output tracks, and whether each is drawn even if it is empty.
  private func text(_ name: String, heard: [(track: MarbleTrack, always: Bool)]) -> String {
    let above = lanes.flatMap { lane in
      lane.drawn.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }.map(\.element)
    }
    let middle = heard.filter { $0.always || !$0.track.isEmpty }.map(\.track)
    let tracks = above + middle + lanes.map(\.lifeline)
    let width = tracks.contains { $0.isWide } ? tracks.map(\.width).max() : nil
    let ends = lanes.map { $0.lifeline.line(count: count + 1, width: width).trimmingEnd }
    return
      ((above.map { $0.line(count: count, width: width) } + [name])
      + middle.map { $0.line(count: count, width: width) } + ends).joined(separator: "\n")
  }
}

extension String {
  /// Without the frames at the end in which nothing happens.
  fileprivate var trimmingEnd: String {
    var text = self
    while text.last == " " || text.last == "-" { text.removeLast() }
    return text
  }
}
