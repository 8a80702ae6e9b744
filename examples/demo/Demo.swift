import ArgumentParser
import Foundation

/// `make demo`: a story about motiond, told in the terminal with numbers measured while it happens.
///
/// Each act states what it promises, shows what it measured, and fails the program if the promise was not held.
@main
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion-demo",
    abstract: "Starts a private motiond, shows what it does, measures it, and stops it again.",
    discussion: "Exit code 0 means that everything that was promised was measured to hold.")

  @Option(help: "The folder of motiond and motionctl.")
  var bin = ".build/release"

  @Option(help: "The folder of the plugins.")
  var plugins = ".build/plugins"

  @Option(help: "The folder in which the private motiond lives.")
  var dir = ".demo"

  @Option(help: "The recorded touch that tosses a ball.")
  var trace = "examples/toss.jsonl"

  @Option(help: "Also draw what was measured into this SVG file.")
  var svg: String?

  func run() throws {
    let stage = try Stage(bin: bin, plugins: plugins, directory: dir, trace: trace)
    defer { stage.clear() }
    do {
      let story = try Story(stage)
      try story.tell()
      if let svg { try Picture(story).write(to: svg) }
      try story.end()
    } catch {
      Terminal.say(Terminal.red("✘ \(error)"))
      Terminal.say("motiond's log: \(stage.logPath)")
      throw ExitCode(1)
    }
    Terminal.say("")
    Terminal.note(
      "drawn: \(([stage.tossPicture, stage.headPicture] + [svg].compactMap { $0 }).joined(separator: ", "))")
    Terminal.say(Terminal.bold("Everything that was promised above was measured to hold."))
  }
}

/// A promise that was not held, or something that could not be measured.
struct DemoFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
