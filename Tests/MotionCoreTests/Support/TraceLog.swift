import MotionCore
import MotionModel

/// Records the trace of a runtime, a line for each event.
final class TraceLog: Tracer {
  private(set) var lines: [String] = []

  func trace(_ event: TraceEvent, frame: UInt64) {
    lines.append(Self.line(event))
  }

  /// Takes out the lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  private static func line(_ event: TraceEvent) -> String {
    switch event {
    case .didCommit(let sequence): "commit \(sequence)"
    case .didAdd(let identity, let key): "add \(identity) \(key)"
    case .didAddNamed(let identity, let name, let key): "add \(identity) \"\(name)\" \(key)"
    case .didRemoveNamed(let identity, let name, let key): "remove \(identity) \"\(name)\" \(key)"
    case .didFinish(let identity, let outcome, let key): "finish \(identity) \(outcome) \(key)"
    case .didFail(let identity, _, let key): "fail \(identity) \(key)"
    case .didCreateExecutor(let key): "executor \(key)"
    case .didRemoveExecutor(let key): "no executor \(key)"
    case .didStart(let token, let key): "start \(token) \(key)"
    case .didEnd(let token, let key): "end \(token) \(key)"
    case .didChangeActivity(let isActive): isActive ? "active" : "inactive"
    case .didChangeDriver(let reference, let key): "driver \(reference) \(key.map { "\($0)" } ?? "none")"
    case .didRefuseWrite(let key, let property, _): "refuse \(property) \(key)"
    }
  }
}
