import ArgumentParser
import MotionClient
import MotionModel
import MotionWire

/// `motionctl watch`
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Watch values move.",
    usage: "motionctl watch [<target[/property]>] [<options>]",
    discussion: """
      On a terminal it is a live table with a curve for each property. In a pipe, or with --json, it is NDJSON: an \
      object a line, for each frame in which something changed. The first line holds all values as they are; a gap in \
      what was received shows as "missed" and is followed by all values again.

      Only what is watched is sent, so name a target where that is enough.

      EXAMPLES
        motionctl watch                           everything
        motionctl watch ball/position --velocities
        motionctl watch --frames 1 | jq .         the present values
        motionctl watch --outcomes | jq 'select(.event == "ended")'
      """)

  /// How long a redraw waits for the next: 20 a second are as many as the eye sees in numbers, and a terminal at the end
  /// of a slow line still follows. So long Ctrl-C takes at the most.
  private static let redraw = Duration.milliseconds(50)
  /// How long to wait for lines in one go; there is nothing else to do.
  private static let patience = Duration.seconds(60)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Show velocities too, per second.")
  var velocities = false

  @Flag(help: "Tell also which intentions end, and how.")
  var outcomes = false

  @Option(help: ArgumentHelp("End after so many frames that changed something, the present values included."))
  var frames: UInt64?

  @Argument(
    help: ArgumentHelp("What to watch; everything if it is not given.", valueName: "target[/property]"),
    completion: .custom(Candidates.targets), transform: WatchedPlace.init(parsing:))
  var place: WatchedPlace?

  func validate() throws {
    if frames == 0 { throw ValidationError("--frames is at least 1") }
  }

  func run() throws {
    let console = Console()
    let client = try connection.connect()
    let interests = (place ?? .everything).interests(withVelocities: velocities, withOutcomes: outcomes)
    let subscription = try failing { () throws(MotionClientError) in
      let subscription = try client.subscribe(to: interests)
      // A daemon that does not answer is told from one in which nothing moves.
      try subscription.synchronise(timeout: connection.timeout)
      return subscription
    }
    if console.outputIsTerminal && !reading.json {
      try draw(subscription, console)
    } else {
      try print(subscription, console)
    }
  }

  /// Prints lines until enough frames were seen.
  private func print(_ subscription: ValueSubscription, _ console: Console) throws(Failure) {
    var seen: UInt64 = 0
    while true {
      guard let event = try failing({ () throws(MotionClientError) in try subscription.next(timeout: Self.patience) })
      else { continue }
      console.print(JSONOutput.lines(of: event).map(\.line))
      if case .values = event { seen += 1 }
      if seen == frames { return }
    }
  }

  /// Draws a table until enough frames were seen or a signal comes.
  private func draw(_ subscription: ValueSubscription, _ console: Console) throws(Failure) {
    let interruption = Interruption()
    let screen = Screen()
    defer { screen.close() }
    var table = WatchTable(title: title)
    var seen: UInt64 = 0
    let clock = ContinuousClock()
    while !interruption.hasCome && seen != frames {
      let end = clock.now + Self.redraw
      while seen != frames,
        let event = try failing({ () throws(MotionClientError) in
          try subscription.next(timeout: max(.zero, end - clock.now))
        })
      {
        table.take(event)
        if case .values = event { seen += 1 }
        if clock.now >= end { break }
      }
      table.sample()
      let size = Console.size
      screen.draw(table.lines(columns: size.columns, rows: size.rows, style: console.outputStyle))
    }
  }

  private var title: String {
    switch (place ?? .everything).scope {
    case .everything: "everything"
    case .target(let target): target.text
    case .property(let reference): reference.description
    }
  }
}
