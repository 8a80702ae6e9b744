import CLinux
import Glibc
import LinuxSystem
import MotionModel
import ZeroMQ

/// A spawned process, with motiond's ends of its pipes. Used by one thread.
final class ChildProcess {
  /// The most bytes read from one pipe at a time.
  private static let chunkBytes = 16_384
  /// The most chunks read from a pipe that an exited process has left. A pipe holds 64 KiB; a descendant that still
  /// prints must not delay the caller.
  private static let lastChunks = 64

  let processID: Int32
  /// Whether the owner is ready for more output.
  var mayRead = true
  private let hear: @Sendable (WorkerProcess.Event) -> Void
  /// The environment at its start, by which its leftover descendants are recognized.
  private let environment: [String: String]
  private let share: ControlGroup.Share?
  private let handle: ProcessHandle?
  private let lifeline: Pipe.End
  private var outputs: [Output]
  private var isReleased = false

  /// One of its two output streams.
  private struct Output {
    let end: Pipe.End
    // With room for the number of bytes that were left out.
    var splitter = LineSplitter(limit: Limits.logLineBytes - 40)
    var isOpen = true
  }

  /// Spawns the process.
  ///
  /// - Throws: ``SpawnError``.
  init(_ launch: WorkerProcess.Launch, hear: @escaping @Sendable (WorkerProcess.Event) -> Void) throws {
    let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
    do {
      processID = try Spawn.run(launch, input: input.reading, output: output.writing, errors: errors.writing)
    } catch {
      launch.share?.end()
      throw error
    }
    // A process that has ended already is a zombie, for which a descriptor can still be opened.
    handle = try? ProcessHandle(processID: processID)
    environment = launch.environment
    share = launch.share
    lifeline = input.writing
    outputs = [Output(end: output.reading), Output(end: errors.reading)]
    for output in outputs { output.end.doNotBlock() }
    self.hear = hear
  }

  /// The descriptors to wait for: its output, if the owner is ready for more, and its end, once it is released.
  var awaited: [Int32] {
    guard !isReleased else { return handle.map { [$0.descriptor] } ?? [] }
    return mayRead ? outputs.filter(\.isOpen).map(\.end.descriptor) : []
  }

  /// Whether it has to be reaped, and has no descriptor that reports its end.
  var endsUnseen: Bool { isReleased && handle == nil }

  /// The owner sends no more signals: the process may be reaped once it has ended.
  func release() {
    isReleased = true
    lifeline.close()
  }

  /// Kills it and everything in its group.
  func kill() {
    // Before the release its group keeps its ID; after the release the descriptor identifies a process that still runs.
    if Glibc.kill(-processID, SIGKILL) != 0 { handle?.send(signal: SIGKILL) }
    release()
  }

  /// Reads the available output, and reaps the process if it has ended and is released; returns whether it was reaped.
  func lookAfter() -> Bool {
    guard isReleased else {
      if mayRead { readOnce() }
      return false
    }
    var information = siginfo_t()
    guard waitid(P_PID, id_t(processID), &information, WEXITED | WNOHANG) == 0 else {
      return bury(.unknown(String(cString: strerror(errno))))
    }
    let (status, code) = (motion_child_status(&information), information.si_code)
    guard motion_child_id(&information) == processID else { return false }
    return bury(code == Int32(CLD_EXITED) ? .exited(status) : .signalled(status))
  }

  private func bury(_ end: ProcessEnd) -> Bool {
    share?.end()
    let left = Descendants.end(carrying: environment)
    readRest()
    if left > 0 { hear(.printed(["(\(left) processes that it had started and left behind were ended)"])) }
    hear(.ended(end))
    return true
  }

  private func readOnce() {
    for index in outputs.indices where outputs[index].isOpen { tell(read(index) ?? []) }
  }

  private func readRest() {
    for index in outputs.indices {
      var chunks = 0
      while outputs[index].isOpen, chunks < Self.lastChunks, let lines = read(index) {
        tell(lines)
        chunks += 1
      }
      if let line = outputs[index].splitter.finish() { tell([line]) }
    }
  }

  private func tell(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    mayRead = false
    hear(.printed(lines))
  }

  /// The lines that the next chunk completes; `nil` when there is no output now.
  private func read(_ index: Int) -> [String]? {
    withUnsafeTemporaryAllocation(byteCount: Self.chunkBytes, alignment: 1) { buffer in
      let count = Glibc.read(outputs[index].end.descriptor, buffer.baseAddress, buffer.count)
      if count > 0 {
        return outputs[index].splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      guard count == 0 || (errno != EAGAIN && errno != EINTR) else { return nil }
      outputs[index].isOpen = false
      return outputs[index].splitter.finish().map { [$0] } ?? []
    }
  }
}
