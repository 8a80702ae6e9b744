import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl plugin`
struct PluginCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Restart a plugin's workers.",
    subcommands: [Restart.self])

  /// `motionctl plugin restart`
  struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Drain a plugin's workers and start them again.",
      usage: "motionctl plugin restart <name> [<options>]",
      discussion: """
        The properties that the plugin drives come to rest until its new worker takes over. This also ends a \
        quarantine, so fix its cause first: "motionctl status" shows it.

        EXAMPLES
          motionctl plugin restart tween
        """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var reading: ReadingOptions

    @Argument(help: "The plugin.", completion: .custom(Candidates.plugins), transform: parsedName)
    var name: PluginName

    func run() throws {
      let client = try connection.client()
      let clock = try failing { () throws(MotionClientError) in try client.restart(name) }
      ClockText.print(clock, "Restart of \(name) requested", at: client.moment, reading)
    }
  }
}
