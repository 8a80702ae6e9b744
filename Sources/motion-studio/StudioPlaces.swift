import ArgumentParser
import Foundation
import LinuxSystem

/// Where motion-studio keeps its files.
struct StudioPlaces: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The file of viewers (default: viewers in $STATE_DIRECTORY, $XDG_STATE_HOME/motion-studio or ~/.local/state/motion-studio).",
      valueName: "file"), completion: .file())
  var viewers: String?

  /// The path of the file of viewers.
  var viewersFile: String {
    if let viewers { return viewers }
    let environment = ProcessInfo.processInfo.environment
    func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let directory =
      folder("STATE_DIRECTORY") ?? folder("XDG_STATE_HOME").map { "\($0)/motion-studio" }
      ?? "\(folder("HOME") ?? "/var/lib")/.local/state/motion-studio"
    return "\(directory)/viewers"
  }

  /// The folder of the page that came with this program: `share/motiond/page` beside the folder of installed programs, or
  /// `MotionStudio/Page` of the sources for a program in the folder where SwiftPM builds. `nil` if it is in neither.
  static var page: String? {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let build = folder.deletingLastPathComponent().deletingLastPathComponent()
    // Only beside a build: elsewhere a folder of that name belongs to something else.
    let source = build.lastPathComponent.hasPrefix(".build") ? build.deletingLastPathComponent() : nil
    let candidates =
      [folder.deletingLastPathComponent().appending(path: "share/motiond/page")]
      + (source.map { [$0.appending(path: "Sources/MotionStudio/Page")] } ?? [])
    return candidates.map(\.path).first { FileManager.default.fileExists(atPath: "\($0)/index.html") }
  }

  /// Makes the folder of the file of viewers, for its owner alone.
  func makeFolder() throws {
    let folder = viewersFile.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    if viewers == nil { try PrivateDirectory.make(folder) }
  }
}
