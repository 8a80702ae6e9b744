import Glibc
import MotionModel
import MotionTestKit
import Testing

@testable import MotionCoordinator

struct PluginPlaceTests {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/plugin" }

  init() throws {
    folder = try TemporaryFolder()
    folder.make("plugin")
    folder.make("plugin/bin")
    folder.make("outside")
    chmod("\(folder.path)/plugin", 0o755)
    chmod("\(folder.path)/plugin/bin", 0o755)
    try folder.write("{}", to: "plugin/plugin.json", mode: 0o644)
    for program in ["plugin/run", "plugin/bin/run", "outside/run"] {
      try folder.write("#!/bin/sh\n", to: program, mode: 0o755)
    }
  }

  /// The problem that is reported for a program; empty if there is none.
  private func fault(_ program: String) -> String {
    do {
      _ = try PluginPlace(path).program(program)
      return ""
    } catch {
      return error.description
    }
  }

  @Test(arguments: ["run", "./run", "bin/run", "bin/./run"]) func `a program in the plugin's own folder can run`(
    program: String
  ) {
    #expect(fault(program) == "")
  }

  // Clauses: S15.4
  @Test(arguments: ["/bin/sh", "../outside/run", "bin/../../outside/run", "..", ".", "", "bin/.."])
  func `a program path that leads out of the folder is refused`(program: String) {
    #expect(fault(program).contains("Name a program within the folder"), "\(fault(program))")
  }

  // Clauses: S15.4
  @Test func `a link that leads out of the folder is refused`() throws {
    symlink("\(folder.path)/outside/run", "\(path)/link")
    symlink("\(folder.path)/outside", "\(path)/way")
    symlink("run", "\(path)/inside")
    symlink("plugin", "\(folder.path)/other")
    for program in ["link", "way/run", "inside"] { #expect(fault(program).contains("it is a link"), "\(program)") }
    #expect(throws: PluginFault.self) { try PluginPlace("\(folder.path)/other") }
    unlink("\(path)/plugin.json")
    symlink("\(folder.path)/outside/run", "\(path)/plugin.json")
    #expect { try PluginPlace(path).bytes(of: "plugin.json", limit: 100) } throws: { "\($0)".contains("it is a link") }
  }

  // Clauses: S15.4
  @Test(arguments: ["", "/bin", "/bin/run", "/plugin.json"], [mode_t(0o020), 0o002])
  func `a file that other users can write is not run, and the error names the remedy`(part: String, right: mode_t)
    throws
  {
    chmod(path + part, (part.hasSuffix("run") ? 0o755 : 0o755) | right)
    #expect {
      let place = try PluginPlace(path)
      _ = try place.bytes(of: "plugin.json", limit: 100)
      _ = try place.program("bin/run")
    } throws: {
      "\($0)".contains("chmod go-w \(path)\(part)")
    }
  }

  // Clauses: S15.4
  @Test func `an interpreter, and libraries, that other users can change are not used`() throws {
    folder.make("env")
    chmod("\(folder.path)/env", 0o755)
    symlink("/bin/sh", "\(folder.path)/env/link")
    try folder.write("", to: "env/python", mode: 0o755)
    for interpreter in ["/bin/sh -e", "\(folder.path)/env/link", "\(folder.path)/env/python"] {
      try folder.write("#! \(interpreter)\n", to: "plugin/run", mode: 0o755)
      #expect(fault("run").isEmpty, "\(fault("run"))")
    }
    try PluginPlace.checkLibraries(["\(folder.path)/env", "/usr/lib"], of: path)
    try folder.write("#!python\n", to: "plugin/bin/run", mode: 0o755)
    #expect(fault("bin/run").contains("\"python\" is no absolute path"))
    chmod("\(folder.path)/env/python", 0o757)
    #expect(fault("run").contains("its interpreter") && fault("run").contains("chmod go-w \(folder.path)/env/python"))
    chmod("\(folder.path)/env/python", 0o755)
    chmod("\(folder.path)/env", 0o1777)
    #expect(fault("run") == "", "another user may not replace what is there")
    func library(_ path: String) -> String {
      do {
        try PluginPlace.checkLibraries([path], of: self.path)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(library("\(folder.path)/env").contains("chmod go-w \(folder.path)/env"), "but may put something beside it")
    #expect(library("\(folder.path)/nothing").contains("No such file"))
    chmod("\(folder.path)/env", 0o777)
    #expect(fault("run").contains("chmod go-w \(folder.path)/env"))
  }

  // Clauses: S15.4
  @Test(.enabled(if: geteuid() == 0, "only root can give files away"), arguments: ["", "/bin", "/bin/run"])
  func `a file of another user is not run`(part: String) {
    chown(path + part, 4711, 0)
    #expect {
      try PluginPlace(path).program("bin/run")
    } throws: {
      "\($0)".contains("it belongs to user 4711")
    }
  }

  @Test func `a path that is not an executable file is not run`() {
    #expect(fault("bin").contains("it is not a file"))
    mkfifo("\(path)/pipe", 0o755)
    #expect(fault("pipe").contains("it is not a file"))
    #expect(fault("run/run").contains("it is not a folder"))
    #expect(fault("nothing").contains("No such file"))
    chmod("\(path)/run", 0o644)
    #expect(fault("run").contains("chmod 755"))
  }

  // Clauses: S15.4
  @Test func `a file that replaced the checked one is not executed`() async throws {
    try folder.write("#!/bin/sh\necho replaced\n", to: "plugin/late", mode: 0o755)
    let place = try PluginPlace(path)
    let checked = try place.program("run")
    #expect(try place.program("late") != checked)
    rename("\(path)/late", "\(path)/run")
    let launch = WorkerProcess.Launch(
      executable: "\(path)/run", arguments: [], environment: [:], directory: path, program: "run")
    let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
    #expect {
      try Spawn.start(
        launch, "./run", checked, in: place.descriptor, [input.reading, output.writing, errors.writing])
    } throws: {
      "\($0)".contains("was replaced while it was being started")
    }
  }

  @Test func `no plugin is loaded from a folder that other users can write`() throws {
    for path in ["plugins", "plugins/glide"] { folder.make(path) }
    try folder.write("{}", to: "plugins/glide/plugin.json", mode: 0o644)
    chmod("\(folder.path)/plugins", 0o777)
    let library = PluginLibrary(searching: ["\(folder.path)/plugins"])
    #expect(library.plugins.isEmpty)
    #expect(library.warnings.count == 1 && library.warnings[0].contains("chmod go-w"), "\(library.warnings)")
  }
}
