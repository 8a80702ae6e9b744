import Glibc
import LinuxSystem

/// A terminal of a test: it types into a program and reads what the program shows.
final class PseudoTerminal {
  /// The path at which a program opens it.
  let path: String
  /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2): Swift imports neither them nor posix_openpt, unlockpt and ptsname.
  private static let (lock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  private let descriptor: Int32
  /// What was shown and not yet expected.
  private var unread = ""
  private var bytes: [UInt8] = []

  init() throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    self.descriptor = descriptor
    var (locked, number) = (Int32(0), UInt32(0))
    guard descriptor >= 0, ioctl(descriptor, Self.lock, &locked) == 0, ioctl(descriptor, Self.number, &number) == 0
    else {
      throw Problem("a pseudo-terminal cannot be made: errno \(errno)")
    }
    path = "/dev/pts/\(number)"
    resize(columns: 120)
  }

  deinit { close(descriptor) }

  /// Changes the width.
  func resize(columns: UInt16) {
    var size = winsize()
    (size.ws_col, size.ws_row) = (columns, 40)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Types a text. Return is `\r`, TAB `\t`, Ctrl-C `\u{3}`, Ctrl-D `\u{4}`.
  func type(_ text: String) throws {
    guard WholeWrite.write(Array(text.utf8), to: descriptor) == 0 else { throw Problem("the terminal is closed") }
  }

  /// Waits until a text is shown, and returns what was shown before it since the last call.
  @discardableResult
  func expect(_ text: String, within limit: Duration = factTimeout) throws -> String {
    let deadline = BootClock.now + limit
    while true {
      if let range = unread.firstRange(of: text) {
        let before = String(unread[..<range.lowerBound])
        unread = String(unread[range.upperBound...])
        return before
      }
      let left = deadline - BootClock.now
      guard left > .zero, try read(within: left) else { throw WaitTimeout("\"\(text)\"", after: limit, last: unread) }
    }
  }

  /// Types a line and waits for the prompt after it; returns what was shown between them.
  func run(_ line: String, until prompt: String = "motion> ") throws -> String {
    try type(line + "\r")
    return try expect(prompt)
  }

  /// Reads what is shown; returns false at the end, or if nothing is.
  private func read(within limit: Duration) throws -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(clamping: limit.wholeNanoseconds / 1_000_000 + 1)) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytes += buffer[..<count]
    // A character may be cut in two: what can be read so far is kept as text.
    guard let text = String(validating: bytes, as: UTF8.self) else { return true }
    // A line feed after a carriage return would be one character with it.
    unread.unicodeScalars.append(contentsOf: text.unicodeScalars.filter { $0 != "\r" })
    bytes = []
    return true
  }
}
