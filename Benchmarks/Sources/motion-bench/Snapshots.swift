import ArgumentParser
import Foundation
import MotionCore
import MotionHistory
import MotionModel
import MotionWire

/// `motion-bench snapshots`
struct Snapshots: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshots",
    abstract:
      """
      How long a snapshot of springs in motion takes, during which no frame is run, a restoration from it, and the way \
      to a place of a recording.
      """
  )

  @OptionGroup var options: BenchOptions

  func run() throws {
    let printer = Printer(options)
    for size in options.quick ? [100] : [1_000, 10_000, 100_000] {
      let runtime = try scene(size)
      guard let snapshot = runtime.snapshot() else { throw ValidationError("no snapshot can be taken") }
      let taking = Stopwatch(quick: options.quick)
        .compare({ _ = runtime.snapshot() }, with: { runtime.advance() })
      try printer.show(
        Row(
          benchmark: "snapshots", series: "taken", size: size, cost: taking.subject * 1e6,
          reference: taking.reference * 1e6, unit: "µs", comparedWith: "a frame of these springs"))
      let restoring = Stopwatch(quick: options.quick)
        .compare({ try? Runtime().restore(snapshot) }, with: { runtime.advance() })
      try printer.show(
        Row(
          benchmark: "snapshots", series: "restored", size: size, cost: restoring.subject * 1e6,
          reference: restoring.reference * 1e6, unit: "µs", comparedWith: "a frame of these springs"))
    }
    for size in options.quick ? [100] : [1_000, 10_000] { try seek(size, printer) }
  }

  /// Opens a recording and goes to a place, by its index and without one. A snapshot is a tenth of a second before.
  private func seek(_ size: Int, _ printer: Printer) throws {
    let files = [true, false].map { "\(NSTemporaryDirectory())/motion-bench-\(getpid())-\($0).mcap" }
    defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
    let frames = options.quick ? 120 : 600
    try record(frames, try scene(size), to: files)
    var number: UInt64 = 0
    func open(_ file: String) {
      // Somewhere in the second half, always elsewhere.
      number = (number + 97) % UInt64(frames / 2)
      _ = try? Timeline(file, at: .frame(UInt64(121 + frames / 2) + number), .before)
    }
    let seeking = Stopwatch(quick: options.quick).compare({ open(files[0]) }, with: { open(files[1]) })
    try printer.show(
      Row(
        benchmark: "snapshots", series: "opened and sought", size: size, cost: seeking.subject * 1e3,
        reference: seeking.reference * 1e3, unit: "ms", comparedWith: "the same file without an index"))
  }

  /// Records a run, with an index into the first file and without one into the second.
  private func record(_ frames: Int, _ runtime: Runtime, to files: [String]) throws {
    var header = RecordingHeader(ratePerSecond: runtime.ratePerSecond, plugins: [])
    header.snapshot = runtime.snapshot()
    runtime.log.keeps = .events
    runtime.computesHashes = true
    var recorder = FrameRecorder()
    var encoder = RecordingEncoder(header, at: 0)
    for file in files { try Data().write(to: URL(fileURLWithPath: file)) }
    let handles = try files.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
    for index in 1...frames {
      runtime.advance()
      for record in runtime.log.take() {
        guard var frame = recorder.record(record) else { continue }
        frame.clocks = MachineClocks(wallTime: Int64(index) * 8_333_333, bootTime: Int64(index) * 8_333_333)
        encoder.add(frame)
        if index.isMultiple(of: 12), let snapshot = runtime.snapshot() { encoder.add(snapshot, at: frame.clocks) }
      }
      let bytes = Data(encoder.take())
      for handle in handles { try handle.write(contentsOf: bytes) }
    }
    encoder.flush()
    let last = Data(encoder.take())
    for handle in handles { try handle.write(contentsOf: last) }
    encoder.finish()
    try handles[0].write(contentsOf: Data(encoder.take()))
    for handle in handles { try handle.close() }
  }

  /// So many properties that swing without end.
  private func scene(_ size: Int) throws -> Runtime {
    let runtime = Runtime()
    var transaction = Transaction()
    for index in 0..<size {
      transaction.add(
        .anchoredSpring("x", [1], .physical(tension: 40, friction: 0)), to: try TargetName("t\(index)"))
      guard transaction.log.count > Limits.operationsPerTransaction - 2 else { continue }
      try runtime.commit(transaction)
      transaction = Transaction()
    }
    try runtime.commit(transaction)
    for _ in 0..<120 { runtime.advance() }
    return runtime
  }
}
