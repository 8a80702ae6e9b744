import ArgumentParser
import CReference

/// `motion-bench peer`: the other process of a reference. Each of them works until it is killed.
struct Peer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The other process of a reference: benchmarks start it themselves.", shouldDisplay: false,
    subcommands: [Echo.self, Ask.self, Answer.self, Frames.self, Listen.self, Rest.self, Lamps.self])

  struct Echo: ParsableCommand {
    @Argument var endpoint: String
    func run() throws { try fail(reference_echo(endpoint)) }
  }

  struct Ask: ParsableCommand {
    @Argument var endpoint: String
    @Argument var bytes: Int
    func run() throws { try fail(reference_ask_for_ever(endpoint, bytes)) }
  }

  struct Answer: ParsableCommand {
    @Argument var ticks: String
    @Argument var events: String
    @Argument var bytes: Int
    func run() throws { try fail(reference_answer(ticks, events, bytes)) }
  }

  struct Frames: ParsableCommand {
    @Argument var endpoint: String
    @Argument var subscribers: Int64
    @Argument var lanes: Int64
    @Argument(help: "In nanoseconds.") var period: Int64
    func run() throws { try fail(reference_frames(endpoint, subscribers, lanes, period)) }
  }

  /// Hears everything on a topic, and does nothing with it.
  struct Listen: ParsableCommand {
    @Argument var endpoint: String
    @Argument var topic: String
    func run() throws {
      let listener = Listener(endpoint, topic: topic, of: .reference)
      while true { _ = try listener.next(within: 3600) }
    }
  }

  struct Lamps: ParsableCommand {
    @Argument var universes: Int64
    @Argument(help: "In nanoseconds.") var period: Int64
    func run() throws { throw BenchFailure("nothing can be sent: \(reference_lamps_send(universes, period))") }
  }

  struct Rest: ParsableCommand {
    @Argument var endpoint: String
    func run() throws { reference_rest(endpoint) }
  }
}

private func fail(_ error: Int32) throws { throw BenchFailure("libzmq failed with error \(error)") }
