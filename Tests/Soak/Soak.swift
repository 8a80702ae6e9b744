import ArgumentParser
import Foundation
import Glibc
import MotionTestKit

/// `make soak`: a motiond at work, for any duration, with a fault every few seconds.
///
/// Clients commit without a pause, subscribers check every frame, faults are injected, and the cost of all this is
/// measured each second. In the end no acknowledged plan may be lost, nothing may have jumped, and in the second half,
/// in which motiond itself is left alive, nothing may have grown by more than permitted.
@main
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion-soak", abstract: "Lets a private motiond work among faults, and judges what came of it.",
    discussion: "Exit code 0 means that nothing was lost, nothing jumped and nothing grew by more than it may.")

  @Option(help: "The folder of motiond.")
  var bin = ".build/release"

  @Option(help: "The folder of the plugins.")
  var plugins = ".build/plugins"

  @Option(help: "The folder of the private motiond; it is created again.")
  var dir = ".soak"

  @Option(help: "How long, in minutes.")
  var minutes = 30.0

  @Option(help: "Which faults at which times; drawn if it is not given.")
  var seed: UInt64?

  @Flag(help: "Put the state on a disk in memory that is filled now and then: for root, behind unshare --mount.")
  var smallDisk = false

  @Option(help: "Write the page of this run here, with its curves beside it as .svg.")
  var page: String?

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    let seed = seed ?? UInt64.random(in: 0 ... .max)
    tell("motion-soak: \(minutes) minutes, --seed \(seed)")
    // Read before the run: it is the revision that was built, whatever is committed meanwhile.
    let revision = WorkingCopy.revision
    let stage = try SoakStage(bin: bin, plugins: plugins, directory: dir, isSmall: smallDisk, seed: seed)
    defer { stage.clear() }
    let run = try SoakRun(stage, seconds: minutes * 60, random: SeededRandom(seed: seed))
    try run.play()
    let report = SoakReport(run, seed: seed, revision: revision)
    try report.csv.write(toFile: "\(dir)/soak.csv", atomically: true, encoding: .utf8)
    if let page {
      try report.page(picture: URL(fileURLWithPath: page).deletingPathExtension().lastPathComponent + ".svg")
        .write(toFile: page, atomically: true, encoding: .utf8)
      let picture = URL(fileURLWithPath: page).deletingPathExtension().path + ".svg"
      try SoakPicture(report).text.write(toFile: picture, atomically: true, encoding: .utf8)
    }
    tell(report.summary)
    if !report.isGood { throw ExitCode(1) }
  }
}

/// A failure of the run's own setup, apart from what it judges.
struct SoakProblem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Prints a text at once, without a buffer.
func tell(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
