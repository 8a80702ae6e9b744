import Foundation
import Testing

extension DistributedTests {
  /// The files that are installed beside the programs agree with the programs.
  @Suite struct DeploymentTests {
    @Test func `the installed configuration, its manual and the guide list every key`() throws {
      let known = try knownKeys()
      #expect(known.count > 8)
      let file = try source("deploy/motiond.yaml")
      #expect(Set(file.matches(of: #/(?m)^[#]([a-zA-Z]+): /#).map { String($0.1) }) == known)
      let manual = try source("deploy/man/motiond.yaml.5")
      #expect(Set(manual.matches(of: #/(?m)^\.BR ([a-zA-Z]+) " \(/#).map { String($0.1) }) == known)
      let guide = try source("deploy/README.md")
      for key in known { #expect(guide.contains("| `\(key)` |"), "deploy/README.md does not speak of \(key)") }
    }

    @Test func `the installed configuration is accepted as it is, and with any one line enabled`() throws {
      let file = try source("deploy/motiond.yaml")
      let lines = file.split(separator: "\n").filter { $0.contains(#/^[#][a-zA-Z]+: /#) }
      for line in [""] + lines.map({ String($0.dropFirst()) }) {
        let (end, said) = try check(file + line + "\n")
        // 1: the folder, processor or group does not exist here. 2 would mean: the setting does not exist, or has no
        // such value.
        #expect([.exited(0), .exited(1)].contains(end), "\(line): \(said)")
      }
    }

    /// The manual pages are generated from the parser's description; this test checks that they contain all of it.
    @Test(arguments: ["motiond", "motionctl", "motion-gateway", "motion-studio"])
    func `the manual has every option, and is the same each time`(program: String) throws {
      let directory = try TestDirectory()
      let page = try manual(of: program, directory)
      #expect(try manual(of: program, directory) == page)
      let dump = try JSON(try run(Programs.path(program), ["--experimental-dump-help"], directory))
      var options: Set<String> = []
      func collect(_ command: JSON) {
        for argument in command["arguments"].elements where argument["shouldDisplay"].flag {
          for name in argument["names"].elements where name["kind"].text == "long" { options.insert(name["name"].text) }
        }
        for inner in command["subcommands"].elements where inner["commandName"].text != "help" { collect(inner) }
      }
      collect(dump["command"])
      #expect(options.count > 8)
      for option in options {
        #expect(page.contains("\\fB\\-\\-\(option.replacingOccurrences(of: "-", with: "\\-"))\\fP"), "--\(option)")
      }
      // Lines that begin with a dot are requests, and the page contains only requests that the generator uses.
      for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
        #expect(line.contains(#/^\.(TH|SH|SS|PP|TP|I|B|BR|br|nf|fi|nh|hy|RS|RE)( |$)/#), "\(line)")
      }
    }

    /// Three machines in namespaces, joined by cables; each block of the chapter runs on the machine that it names.
    @Test(.enabled(if: canMakeNetworks, "neither user nor kernel make networks here"))
    func `the commands of the chapter on several machines run as written`() throws {
      let directory = try TestDirectory()
      try PluginFolder.tween().write(to: directory)
      let walk = try run(
        "/bin/bash", [Programs.source("deploy/remote/walk.sh"), Programs.directory, directory["plugins"]], directory)
      #expect(walk.hasPrefix("walk: "))
    }

    /// Whether a private network can be created, and a cable in it.
    private static let canMakeNetworks: Bool = {
      guard let directory = try? TestDirectory() else { return false }
      let probe = try? ChildProcess(
        "/usr/bin/unshare", ["--net", "--mount", "ip", "link", "add", "probe", "type", "veth"],
        environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], output: directory["probe"], errors: directory["probe"])
      return (try? probe?.awaitEnd()) == .exited(0)
    }()

    private func manual(of program: String, _ directory: TestDirectory) throws -> String {
      let command = """
        '\(try Programs.path(program))' --experimental-dump-help \
        | /usr/bin/python3 '\(Programs.source("deploy/man/render.py"))' --section 1 --date 1700000000
        """
      return try run("/bin/sh", ["-c", command], directory)
    }

    /// The output of a program that has to exit with success.
    private func run(_ program: String, _ arguments: [String], _ directory: TestDirectory) throws -> String {
      let name = UUID().uuidString
      let process = try ChildProcess(
        program, arguments, environment: ["PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"],
        output: directory[name], errors: directory["\(name).err"])
      let end = try process.awaitEnd(within: .seconds(120))
      #expect(end == .exited(0), "\(directory.text(of: "\(name).err"))")
      return directory.text(of: name)
    }

    /// The settings that a file may have, as motiond itself lists them.
    private func knownKeys() throws -> Set<String> {
      let (end, said) = try check("zzzzzzzz: 1\n")
      #expect(end == .exited(2))
      let list = try #require(said.split(separator: "known: ").dropFirst().first)
      return Set(list.split(whereSeparator: { !$0.isLetter }).map(String.init))
    }

    private func check(_ configuration: String) throws -> (end: ChildProcess.End, said: String) {
      let directory = try TestDirectory()
      try configuration.write(toFile: directory["motiond.yaml"], atomically: false, encoding: .utf8)
      let process = try Daemon.start(directory, ["--check", "--config", directory["motiond.yaml"]])
      return (try process.awaitEnd(), directory.text(of: "log"))
    }

    private func source(_ path: String) throws -> String {
      try String(contentsOfFile: Programs.source(path), encoding: .utf8)
    }
  }
}
