import Glibc
import MotionClient
import MotionFiles
import MotionModel

/// Sends the input values of lines of text as they arrive, from a pipe or a file.
///
/// A line with an error is reported and skipped: one bad line does not end a stream that has others.
struct ValuePlayer {
  private static let chunk = 1 << 16

  private let client: MotionClient
  private let device: DeviceName
  private let isHeld: Bool
  private let console: Console
  private let start = InputSender.now
  private var lines = 0
  private var values = 0
  private var messages = 0
  /// The number of lines that were skipped.
  private(set) var skipped = 0

  init(_ client: MotionClient, as device: DeviceName, held isHeld: Bool, _ console: Console) {
    (self.client, self.device, self.isHeld, self.console) = (client, device, isHeld, console)
  }

  /// The numbers of values and messages that were sent, and the time since the start.
  var summary: InputSummary { InputSummary(events: values, messages: messages, seconds: InputSender.now - start) }

  /// Sends values.
  mutating func send(_ values: [InputValue]) throws(Failure) {
    do throws(MotionClientError) {
      try client.send(InputValues(from: device, values))
    } catch {
      throw Failure(error)
    }
    self.values += values.count
    messages += 1
  }

  /// Sends the lines of a file, or of standard input if it is called `-`, until its end or a signal.
  mutating func play(_ path: String, until interruption: Interruption) throws(Failure) {
    let descriptor = try FileBytes.open(path)
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    let signals = try interruption.openDescriptor()
    defer { close(signals) }
    let name = path == "-" ? "standard input" : path
    var (rest, buffer) = ([UInt8](), [UInt8](repeating: 0, count: Self.chunk))
    defer { _ = interruption.hasCome }
    while try Self.waits(for: descriptor, orSignal: signals) {
      let count = read(descriptor, &buffer, Self.chunk)
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw FileBytes.failure(path)
      }
      if count == 0 { break }
      rest += buffer[..<count]
      var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let last = parts.removeLast()
      for line in parts { try take(Array(line), of: name) }
      rest = Array(last)
      guard rest.count <= InputValueLine.limit else {
        throw Failure(
          .usage, "\(name):\(lines + 1): the line has more than \(InputValueLine.limit) bytes",
          remedy: "split it into several lines")
      }
    }
    try take(rest, of: name)
  }

  /// - Returns: true if there is something to read, false if a signal arrived.
  private static func waits(for descriptor: Int32, orSignal signals: Int32) throws(Failure) -> Bool {
    var ready = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&ready, 2, -1) < 0 {
      guard errno == EINTR else {
        throw Failure(.failure, "cannot wait for input values: \(String(cString: strerror(errno)))")
      }
    }
    return ready[1].revents == 0
  }

  private mutating func take(_ line: [UInt8], of name: String) throws(Failure) {
    lines += 1
    guard !line.allSatisfy({ [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }) else { return }
    do {
      let line = try InputValueLine(line, number: lines, named: name, isHeld: isHeld)
      try send(line.values)
    } catch let error as FileErrors {
      skip(error.description)
    } catch let failure as Failure {
      guard failure.code == .refused else { throw failure }
      skip("\(name):\(lines): \(failure.message)\(failure.remedy.isEmpty ? "" : ". \(failure.remedy)")")
    } catch {
      preconditionFailure("lines throw no other errors: \(error)")
    }
  }

  private mutating func skip(_ problem: String) {
    skipped += 1
    console.note("skipped: \(problem)")
  }
}
