public import ArgumentParser
import Foundation

/// The parser's description of a command.
public struct CommandDescription: Decodable, Sendable {
  /// The name.
  public let commandName: String
  /// Other names.
  public let aliases: [String]?
  /// The subcommand that is used if none is named.
  public let defaultSubcommand: String?
  /// The subcommands, in the order of the help.
  public let subcommands: [CommandDescription]?
  /// The options, flags and positional arguments.
  public let arguments: [ArgumentDescription]?

  /// The subcommand of this name.
  public func subcommand(_ name: String) -> CommandDescription? {
    subcommands?.first { $0.commandName == name || $0.aliases?.contains(name) == true }
  }

  /// The option of this name that takes a value; `nil` for flags and unknown names.
  public func option(_ name: String) -> ArgumentDescription? {
    arguments?.first { $0.kind == "option" && $0.texts.contains(name) }
  }
}

/// The parser's description of an argument.
public struct ArgumentDescription: Decodable, Sendable {
  /// How values are completed; one of these is set.
  public struct Completion: Decodable, Sendable {
    /// Names of files.
    public struct Files: Decodable, Sendable {
      /// Their endings; any if there are none.
      public let extensions: [String]
    }

    /// A detail that is not needed.
    public struct Other: Decodable, Sendable {}

    /// Files.
    public let file: Files?
    /// Directories.
    public let directory: Other?
    /// A function of the program.
    public let custom: Other?
  }

  private struct Name: Decodable {
    let kind: String
    let name: String

    /// The name as it is written on the command line.
    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  /// "option", "flag" or "positional".
  public let kind: String
  /// Whether it can be given several times.
  public let isRepeating: Bool
  /// Whether the help shows it.
  public let shouldDisplay: Bool
  /// All values, if they are few.
  public let allValues: [String]?
  /// How values are completed.
  public let completionKind: Completion?
  private let names: [Name]?

  /// The names as they are written on the command line.
  public var texts: [String] { names?.map(\.text) ?? [] }

  /// A text that identifies the option, whichever of its names was used.
  public var identity: String { texts.joined(separator: " ") }
}

extension ParsableCommand {
  /// The parser's description of this command and its subcommands. Takes milliseconds.
  ///
  /// - Throws: if a later version of the parser describes them otherwise.
  public static func described() throws -> CommandDescription {
    // The parser's only public description of its options.
    try JSONDecoder().decode(ToolDescription.self, from: Data(_dumpHelp().utf8)).command
  }
}

private struct ToolDescription: Decodable {
  let command: CommandDescription
}
