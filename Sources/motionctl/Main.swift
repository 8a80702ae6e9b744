import ArgumentParser
import CLinux
import Glibc

/// Runs the command of the program's arguments, and ends with its exit code.
@main
enum Main {
  static func main() {
    _ = Console.closed
    // A file beyond the limit of the process (ulimit -f) is an error of the write.
    signal(SIGXFSZ, SIG_IGN)
    let status = CommandRun.run(Array(CommandLine.arguments.dropFirst()), Console())
    exit(status.rawValue)
  }
}
