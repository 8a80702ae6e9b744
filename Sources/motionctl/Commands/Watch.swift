import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel
import MotionWire

/// `motionctl watch`
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Watch values move.",
    usage: "motionctl watch [<target[/property]> ...] [<options>]",
    discussion: """
      On a terminal it shows a live table with a curve for each property. In a pipe, or with --json, it writes NDJSON: \
      one object a line, for each frame with changes. The first line has all present values. If messages were lost, \
      "missed" counts them, and the same line has all values again.

      motiond sends only the watched properties, so name targets where that is enough. The command waits for a target \
      that does not exist yet. A pattern, a group or a list of targets stands for those that exist when the command \
      begins. With --moving it shows a property only until it has come to rest.

      When motiond ends, the command keeps running: the table shows that the connection is lost, the lines have an \
      event "lost". When motiond is back, it continues after an event "restarted" with all present values.

      EXAMPLES
        motionctl watch                           everything
        motionctl watch ball/position lamp --velocities
        motionctl watch 'lamp*/level'
        motionctl watch --moving                  every property that moves
        motionctl watch --frames 1 | jq .         the present values
        motionctl watch --outcomes | jq 'select(.event == "ended")'
      """)

  /// The interval between redraws: 20 a second are enough for numbers, and a terminal on a slow line can follow. It is
  /// also the longest reaction time to Ctrl-C.
  private static let redraw = Duration.milliseconds(50)
  /// The most places that are looked for one by one.
  private static let mostAbsent = 16
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Show velocities too, per second.")
  var velocities = false

  @Flag(help: "Show only properties that move.")
  var moving = false

  @Flag(help: "Also report which intentions end, and how.")
  var outcomes = false

  @Flag(help: "Also report which intention takes over which property.")
  var drivers = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after this many frames with changes, the present values included."),
    transform: parsedFrames)
  var frames: UInt64?

  @OptionGroup var options: PlaceOptions

  @Argument(
    help: ArgumentHelp("A target or property to watch (default: all).", valueName: "target[/property]"),
    completion: .custom(Candidates.places), transform: WatchedPlace.init(parsing:))
  var places: [WatchedPlace] = []

  func run() throws {
    let console = Console()
    let client = try connection.client()
    let named = WatchedPlace.distinct(places + options.named)
    let watched = try WatchedPlace.scopes(named, of: client)
    let interests = watched.flatMap {
      // Motion is detected by velocities, whether they are shown or not.
      $0.interests(withVelocities: velocities || moving, withOutcomes: outcomes, withDrivers: drivers)
    }
    let subscription = try failing { () throws(MotionClientError) in
      let subscription = try client.subscribe(to: interests)
      // Distinguishes a daemon that does not answer from one in which nothing moves.
      try subscription.synchronise(timeout: connection.timeout)
      return subscription
    }
    let absence = try failing { () throws(MotionClientError) in try self.absence(of: watched, client) }
    if let absence {
      console.note("note: " + absence.message + " yet, waiting for it. " + absence.remedy)
    }
    if console.outputIsTerminal && !reading.json {
      let title = named.map(\.description).joined(separator: ", ")
      try draw(subscription, client, absence, title, PresentValues(places: watched.count), console)
    } else {
      try print(subscription, client, PresentValues(places: watched.count), console)
    }
  }

  /// The refusal for a watched place that does not exist, or not yet.
  private func absence(of watched: [Interest.Scope], _ client: MotionClient) throws(MotionClientError) -> Refusal? {
    // What a selector stands for exists.
    for scope in watched.prefix(Self.mostAbsent) {
      let absence: Refusal? =
        switch scope {
        case .everything: nil
        case .target(let target): try client.absence(of: target)
        case .property(let reference): try client.absence(of: reference)
        }
      if let absence { return absence }
    }
    return nil
  }

  /// The part of an event to show; `nil` if there is none.
  private func shown(_ event: ValueSubscription.Event, _ filter: inout Filter) -> ValueSubscription.Event? {
    guard let event = filter.present.take(event) else { return nil }
    guard moving, case .values(let values) = event else { return event }
    guard var kept = filter.motion.take(values) else { return nil }
    if !velocities { for index in kept.properties.indices { kept.properties[index].velocity = nil } }
    return .values(kept)
  }

  /// What events pass before they are shown.
  private struct Filter {
    var present: PresentValues
    var motion = MotionFilter()
  }

  /// Prints lines until enough frames were received.
  private func print(
    _ subscription: ValueSubscription, _ client: MotionClient, _ present: PresentValues, _ console: Console
  ) throws(Failure) {
    var seen: UInt64 = 0
    var filter = Filter(present: present)
    let clock = ContinuousClock()
    var monitor = LivenessMonitor(at: clock.now)
    while seen != frames {
      let event = try failing { () throws(MotionClientError) in try subscription.next(timeout: LivenessMonitor.timeout)
      }
      if let event {
        if let change = monitor.heard(at: clock.now) { tell(change, console) }
        guard let event = shown(event, &filter) else { continue }
        console.print(JSONOutput.lines(of: event).map(\.line))
        if case .values = event { seen += 1 }
        continue
      }
      Console.endIfNobodyReads()
      try ShellSession.checkInterruption()
      if let change = monitor.look(at: clock.now, { client.isReachable }) { tell(change, console) }
    }
  }

  private func tell(_ change: LivenessMonitor.Change, _ console: Console) {
    switch change {
    case .lost:
      console.print(JSONOutput.lost.line)
      console.note("note: connection lost, waiting for motiond (Ctrl-C ends)")
    case .returned:
      console.note("note: motiond is back")
    }
  }

  /// Draws a table until enough frames were received or a signal arrives.
  private func draw(
    _ subscription: ValueSubscription, _ client: MotionClient, _ absence: Refusal?, _ title: String,
    _ present: PresentValues, _ console: Console
  ) throws(Failure) {
    let interruption = Interruption()
    let screen = Screen()
    defer { screen.close() }
    var table = WatchTable(
      title: title, empty: absence.map { "\($0.message) yet. \($0.remedy)" }, showsOnlyMotion: moving)
    var seen: UInt64 = 0
    var filter = Filter(present: present)
    let clock = ContinuousClock()
    var monitor = LivenessMonitor(at: clock.now)
    while !interruption.hasCome && seen != frames {
      let end = clock.now + Self.redraw
      while seen != frames,
        let event = try failing({ () throws(MotionClientError) in
          try subscription.next(timeout: max(.zero, end - clock.now))
        })
      {
        _ = monitor.heard(at: clock.now)
        if let event = shown(event, &filter) {
          table.take(event)
          if case .values = event { seen += 1 }
        }
        if clock.now >= end { break }
      }
      _ = monitor.look(at: clock.now) { client.isReachable }
      table.isLost = monitor.isLost
      table.sample()
      if moving { table.keep { filter.motion.isMoving($0) } }
      let size = Console.size
      screen.draw(table.lines(columns: size.columns, rows: size.rows, style: console.outputStyle))
    }
  }
}
