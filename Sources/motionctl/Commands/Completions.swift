import ArgumentParser

/// `motionctl completions`
struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a completion script for a shell.",
    usage: "motionctl completions <shell>",
    discussion: """
      Targets, types and plugins are completed with those of the running daemon.

      EXAMPLES
        source <(motionctl completions bash)
        motionctl completions zsh > ~/.zfunc/_motionctl
        motionctl completions fish > ~/.config/fish/completions/motionctl.fish
      """)

  /// The supported shells.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash
    case zsh
    case fish
  }

  @Argument(help: "The shell.")
  var shell: Shell

  func run() {
    let shell: CompletionShell =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    Console().print(Motionctl.completionScript(for: shell))
  }
}
