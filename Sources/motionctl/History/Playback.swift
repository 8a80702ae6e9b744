import MotionClient
import MotionCore
import MotionFiles
import MotionHistory
import MotionModel
import MotionWire

/// Plays a part of a recording at a speed: a table at a terminal, a line of JSON for each frame otherwise.
struct Playback {
  /// The longest wait for the next frame, in seconds: where nothing moved for longer, the playing goes on.
  static let longestWait = 2.0
  /// The time between redraws, in seconds, as of `motionctl watch`.
  private static let redraw = 0.05

  private let timeline: Timeline
  private let places: [WatchedPlace]
  private var filter: PlaceFilter
  private let speed: Double
  private let interruption = Interruption()

  init(_ timeline: Timeline, of places: [WatchedPlace], speed: Double) {
    (self.timeline, self.places, self.speed) = (timeline, WatchedPlace.distinct(places), speed)
    filter = PlaceFilter(self.places)
  }

  /// Plays from the present place to a frame.
  ///
  /// - Parameter hear: called after each frame.
  mutating func play(
    through last: UInt64, asLines: Bool, _ console: Console, _ hear: (RecordingCursor.Played) -> Void
  ) throws(Failure) {
    let missing = try places(withoutValueThrough: last, asLines: asLines, console, hear)
    guard missing.isEmpty || missing.count < places.count else {
      throw Failure(
        .failure, "nothing to play: no such property had a value",
        remedy: "list the properties: motionctl list properties")
    }
    for place in missing { console.note("note: \(place) had no value in this part") }
  }

  /// Plays, and returns the named places that had no value; none if the playing was ended early.
  private mutating func places(
    withoutValueThrough last: UInt64, asLines: Bool, _ console: Console, _ hear: (RecordingCursor.Played) -> Void
  ) throws(Failure) -> [WatchedPlace] {
    let screen = asLines ? nil : Screen()
    defer { screen?.close() }
    var table = WatchTable(title: timeline.file, empty: "nothing has moved yet")
    func show(_ values: FrameValues) {
      if asLines {
        console.print(JSONOutput.lines(of: .values(values)).map(\.line))
      } else {
        table.take(.values(values))
      }
    }
    func redraw() {
      guard let screen else { return }
      table.sample()
      let size = Console.size
      screen.draw(table.lines(columns: size.columns, rows: size.rows, style: console.outputStyle))
    }
    show(present())
    redraw()
    let clock = ContinuousClock()
    // When the frame of this simulated time is due.
    var (due, time) = (clock.now, timeline.runtime.frame.time)
    var drawn = clock.now
    while timeline.runtime.frame.number < last, let played = try timeline.advance() {
      due += .seconds(min((played.recorded.frame.time - time) / speed, Self.longestWait))
      time = played.recorded.frame.time
      while clock.now < due {
        if asLines { Console.endIfNobodyReads() }
        let left = due - clock.now
        guard !interruption.comes(within: min(left.inSeconds, Self.redraw)) else { return [] }
        if clock.now - drawn >= .seconds(Self.redraw) { (drawn, _) = (clock.now, redraw()) }
      }
      if interruption.hasCome { return [] }
      hear(played)
      show(values(of: played.runtime))
      if clock.now - drawn >= .seconds(Self.redraw) { (drawn, _) = (clock.now, redraw()) }
    }
    redraw()
    return filter.missing
  }

  /// All values of the present place.
  private mutating func present() -> FrameValues {
    let runtime = timeline.runtime
    let properties = runtime.currentProperties.filter { filter.contains($0.reference, in: runtime) }.map {
      PropertyValue(reference: $0.reference, value: $0.state.value, velocity: $0.state.velocity, isLate: $0.isLate)
    }
    return FrameValues(
      interest: .motion(.everything), frame: runtime.frame.number, time: runtime.frame.time, dt: runtime.frame.dt,
      properties: properties, isComplete: true)
  }

  /// The values that the last frame changed.
  private mutating func values(of runtime: Runtime) -> FrameValues {
    let properties = runtime.changes.filter { filter.contains($0.reference, in: runtime) }.map {
      PropertyValue(reference: $0.reference, value: $0.state.value, velocity: $0.state.velocity, isLate: $0.isLate)
    }
    return FrameValues(
      interest: .motion(.everything), frame: runtime.frame.number, time: runtime.frame.time, dt: runtime.frame.dt,
      properties: properties,
      forgotten: runtime.forgotten.map(\.reference).filter { filter.contains($0, in: runtime) })
  }
}
