import ArgumentParser
import ZeroMQ

/// `motionctl key`
struct KeyCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Make and show keys for connections between machines.",
    subcommands: [New.self, Show.self])

  /// The role of a key's holder.
  enum Role: String, ExpressibleByArgument, CaseIterable {
    case client
    case worker
  }

  /// `motionctl key new`
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a pair of keys.",
      usage: "motionctl key new <name> [<options>]",
      discussion: """
        Writes NAME.key, the pair, which only you can read and must keep secret, and NAME.pub, the public key. Prints \
        the line that authorizes the key, for the daemon's file of authorized keys. motiond reads that file again \
        after "kill -HUP". If the line is removed, the next HUP closes the connections of its key.

        EXAMPLES
          motionctl key new desk
          motionctl list targets --connect tcp://stage:5570 --key desk.key --server-key motiond.pub
        """)

    @Argument(help: "The owner's name: letters, digits, dots, dashes. A worker's name is PLUGIN or PLUGIN.INSTANCE.")
    var name: String

    @Option(help: "The role of the key's owner.")
    var role: Role = .client

    @Option(help: ArgumentHelp("The folder for the two files.", valueName: "dir"), completion: .directory)
    var directory = "."

    func validate() throws {
      let isName = name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
      guard isName, (1...128).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".") else {
        throw ValidationError("a name has 1 to 128 letters, digits, dots, dashes and underscores, and no dot in front")
      }
    }

    func run() throws {
      let path = "\(directory)/\(name)"
      let pair = try keys { () throws(KeyFileError) in
        try CurveKeyFile.make(at: "\(path).key", publicPath: "\(path).pub", name: name)
      }
      Console().print("\(role.rawValue) \(pair.publicKey.z85) \(name)")
    }
  }

  /// `motionctl key show`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the public key that a file holds.",
      usage: "motionctl key show <file>",
      discussion: """
        EXAMPLES
          motionctl key show desk.key
          motionctl key show /var/lib/motiond/motiond.pub
        """)

    @Argument(help: "A file that ends in .key or .pub.", completion: .file())
    var file: String

    func run() throws {
      // A pair is read as one, so that a file with unsafe permissions is reported here already.
      let key = try keys { () throws(KeyFileError) in
        file.hasSuffix(".key") ? try CurveKeyFile(reading: file).publicKey : try CurveKeyFile.publicKey(file)
      }
      Console().print(key.z85)
    }
  }
}

/// Runs an operation on keys, and converts its error into a failure of the command.
private func keys<Value>(_ body: () throws(KeyFileError) -> Value) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(.failure, "\(error.path): \(error.problem)", remedy: error.remedy)
  }
}
