import ArgumentParser
import MotionStudio

/// `motion-studio viewer`
struct ViewerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "viewer", abstract: "Give viewers tokens, and take them back.",
    subcommands: [Add.self, List.self, Remove.self])

  /// Reports the errors of the file with their exit code.
  static func reporting<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as StudioError {
      if error.isUsage { throw ValidationError(error.description) }
      throw error
    }
  }

  /// `motion-studio viewer add`
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a viewer a token, and print it. A former token of that name no longer counts.")

    @OptionGroup var places: StudioPlaces

    @Flag(name: .long, help: "It may change motion: commit, stop, set parameters. Otherwise it may only look.")
    var write = false

    @Argument(help: "A name for people.")
    var name: String

    func run() throws {
      try ViewerCommand.reporting {
        try places.makeFolder()
        print(try ViewersFile(places.viewersFile).add(name, mayChange: write))
      }
    }
  }

  /// `motion-studio viewer list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the viewers that have a token.")

    @OptionGroup var places: StudioPlaces

    func run() throws {
      try ViewerCommand.reporting {
        for viewer in try ViewersFile(places.viewersFile).names() {
          print("\(viewer.mayChange ? "write" : "read ")  \(viewer.name)")
        }
      }
    }
  }

  /// `motion-studio viewer remove`
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a viewer's token back. Its connections are closed within a second.")

    @OptionGroup var places: StudioPlaces

    @Argument(help: "The viewer's name.")
    var name: String

    func run() throws { try ViewerCommand.reporting { try ViewersFile(places.viewersFile).remove(name) } }
  }
}
