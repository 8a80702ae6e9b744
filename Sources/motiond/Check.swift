import ArgumentParser
import MotionCoordinator
import MotionModel

/// `motiond --check`: reports what a start would find, and starts nothing.
enum Check {
  static func run(_ settings: Settings) throws {
    let coordinator = settings.coordinator
    print("configuration  \(settings.file ?? "none; defaults, environment and flags")")
    print("rate           \(coordinator.ratePerSecond) frames per second")
    print("runtime        \(coordinator.runtimeDirectory)")
    print("state          \(coordinator.stateDirectory)")
    print("journal        \(coordinator.journalDirectory ?? "none")")
    print("metrics        \(coordinator.metrics?.description ?? "none")")
    print("affinity       \(coordinator.affinity?.description ?? "none")")
    let (library, found) = Coordinator.check(coordinator)
    var problems = found.count
    for problem in found { print(ShownText.escaping("PROBLEM        \(problem)")) }
    for plugin in library.plugins {
      let types = plugin.manifest?.intentions.map(\.type.text).joined(separator: ", ") ?? ""
      let rest = plugin.problem.isEmpty ? types : "PROBLEM: " + plugin.problem
      print(ShownText.escaping("plugin         \(plugin.name)  \(plugin.path)  \(rest)"))
      if !plugin.problem.isEmpty { problems += 1 }
    }
    if library.plugins.isEmpty {
      let places = library.searched.isEmpty ? "no folder is configured" : library.searched.joined(separator: ", ")
      print(ShownText.escaping("plugins        none found; looked in: \(places); use --plugin-path DIR"))
    }
    guard problems > 0 else { return print("no problems") }
    print("\(problems) \(problems == 1 ? "problem" : "problems")")
    throw ExitCode(1)
  }
}
