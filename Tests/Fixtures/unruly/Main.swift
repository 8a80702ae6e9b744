import Glibc
import MotionExecutorKit
import MotionFiles
import MotionModel

/// A plugin with one vice, for tests of the code that has to contain it. See ``Vice`` and ``Options``.
@main struct Main {
  static func main() {
    do {
      let options = try Options(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: variable)
      if options.printsManifest { return print(PluginManifestFile.text(of: try options.manifest()), terminator: "") }
      try run(options)
    } catch {
      Output.say("\(error)")
      exit(2)
    }
  }

  private static func run(_ options: Options) throws {
    let environment = options.isRemote ? nil : try WorkerEnvironment(reading: variable)
    switch (options.vice, environment) {
    case (.neverSaysHello, _):
      Outsiders.stayMute()
    case (.wrongVersion, let environment?):
      try Outsiders.greetFromTheFuture(environment, executor: try ExecutorType(options.type))
    case _ where options.isMadeOfStreams:
      Worker(declarations: [try StreamedMove.declaration(of: options.type)]).run()
    default:
      let misdeeds = try Misdeeds(options, environment)
      try misdeeds.workerBegins()
      var worker = Worker(declarations: [try UnrulyExecutor.declaration(of: options.type, misdeeds)])
      worker.rest = { misdeeds.rest() }
      worker.run()
    }
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
