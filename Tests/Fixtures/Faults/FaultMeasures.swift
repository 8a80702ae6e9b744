import Foundation
import Synchronization

/// The measurements of a test that causes a fault.
public final class FaultMeasures: Sendable {
  @TaskLocal static var current: FaultMeasures?

  private let times = Mutex<[String: Double]>([:])
  private let failures = Atomic(0)

  /// Records a duration; of several with the same name the longest is kept. Without a fault that is declared by the
  /// test it does nothing.
  public static func measured(_ time: Duration, _ name: String) {
    current?.times.withLock { $0[name] = max($0[name] ?? 0, time / .seconds(1)) }
  }

  var all: [String: Double] { times.withLock { $0 } }

  /// Whether an expectation failed.
  var hasFailed: Bool { failures.load(ordering: .relaxed) > 0 }

  func fail() { failures.add(1, ordering: .relaxed) }
}

/// One run of a test that causes a fault, as a line of JSON in the file that `MOTION_FAULTS_RECORD` names.
struct FaultRecord: Encodable {
  let fault: String
  /// The duration of the whole test.
  let seconds: Double
  let measures: [String: Double]

  func append() {
    guard let path = ProcessInfo.processInfo.environment["MOTION_FAULTS_RECORD"],
      let line = try? JSONEncoder().encode(self), let file = fopen(path, "ae")
    else { return }
    defer { fclose(file) }
    let bytes = Array(line) + Array("\n".utf8)
    fwrite(bytes, 1, bytes.count, file)
  }
}
