import CFuzzer
import FuzzTargets
import Glibc

/// `motion-fuzz --target=NAME [OPTIONS] [CORPUS…]`: tries one target with libFuzzer, whose options and corpora follow.
///
/// Built without libFuzzer, as it is by `swift build`, it tries each of the files that follow once, which is what a debugger
/// wants: `motion-fuzz --target=NAME FILE…`.
@main struct Main {
  /// The one that is tried, set before anything runs. libFuzzer calls back from the thread that called it.
  nonisolated(unsafe) private static var target: FuzzTarget?

  static func main() throws {
    let targets = try FuzzTarget.all()
    let option = "--target="
    let name = CommandLine.arguments.dropFirst().first { $0.hasPrefix(option) }?.dropFirst(option.count)
    guard let target = targets.first(where: { $0.name == name ?? "" }) else {
      print("usage: motion-fuzz --target=NAME [libFuzzer's options] [CORPUS…]; targets:")
      for target in targets { print(target.name) }
      exit(2)
    }
    Self.target = target
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = motion_fuzz(&count, &arguments) { bytes, count in
      Main.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
    guard status == -1 else { exit(status) }
    for file in CommandLine.arguments.dropFirst() where !file.hasPrefix("-") { try run(file: file) }
  }

  private static func run(_ bytes: [UInt8]) {
    do {
      try target?.run(bytes)
    } catch {
      fatalError("\(error)")
    }
  }

  private static func run(file: String) throws {
    guard let file = fopen(file, "r") else { fatalError("\(file): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    run(bytes)
  }
}
