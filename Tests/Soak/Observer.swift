import MotionClient
import MotionModel
import MotionWire
import Synchronization
import Trajectories

/// The last values that a subscriber has received: shared by its thread and the comparing thread.
final class Heard: Sendable {
  private let values = Mutex<[PropertyReference: Lanes]>([:])

  /// The last values of the targets that committers have made.
  var committed: [PropertyReference: Lanes] {
    values.withLock { $0.filter { $0.key.target.text.hasPrefix("keep-") } }
  }

  func take(_ frame: FrameValues) {
    values.withLock { values in
      if frame.isComplete { values = [:] }
      for reference in frame.forgotten { values[reference] = nil }
      for property in frame.properties { values[property.reference] = property.value }
    }
  }
}

/// A subscriber that checks every frame: everything is finite, and no movement lacks a velocity.
struct Observer {
  /// The largest steps that need no explanation by a velocity. The pendulum is a spring that swings over 200 units, 8
  /// of them in a frame; the lamp reverses twice a second, within a frame.
  static let bounds: [String: Double] = ["pendulum/position": 0.5, "lamp/opacity": 0.05]

  private let name: String
  private let ledger: Ledger
  private let heard: Heard?
  /// Whether it is beside motiond, with nothing between them.
  private let isBeside: Bool
  private var courses: [PropertyReference: (jump: Jump, frame: UInt64)] = [:]

  /// - Parameter heard: where it records the last received values.
  init(_ name: String, _ ledger: Ledger, isBeside: Bool, heard: Heard? = nil) {
    (self.name, self.ledger, self.isBeside, self.heard) = (name, ledger, isBeside, heard)
  }

  /// Receives until the run is over, on a thread of its own.
  mutating func run(_ connect: () throws -> MotionClient, to interests: [Interest]) {
    defer { ledger.finish() }
    do {
      let subscription = try connect().subscribe(to: interests)
      while !ledger.isOver {
        guard let event = try subscription.next(timeout: .milliseconds(100)) else { continue }
        switch event {
        case .values(let values): look(at: values)
        case .restarted:
          courses = [:]
          ledger.change { $0.restartsSeen += 1 }
        case .ended, .handedOver: break
        }
      }
    } catch {
      ledger.problem("\(name): \(error)")
    }
  }

  private mutating func look(at values: FrameValues) {
    heard?.take(values)
    // Missed values cannot be judged.
    if values.missed > 0 || values.isComplete { courses = [:] }
    ledger.change {
      $0.frames += 1
      if isBeside { $0.missedBeside += values.missed } else { $0.missedAfar += values.missed }
    }
    for property in values.properties {
      if !property.value.isFinite { ledger.problem("\(name): \(property.reference) is \(property.value)") }
      guard let bound = Self.bounds["\(property.reference)"], let velocity = property.velocity else { continue }
      var jump = Jump()
      if let known = courses[property.reference], known.frame + 1 == values.frame { jump = known.jump }
      jump.see(PropertyState(property.value, velocity: velocity), after: values.dt)
      courses[property.reference] = (jump, values.frame)
      guard jump.value > 0 else { continue }
      ledger.change { $0.jumps["\(property.reference)"] = max($0.jumps["\(property.reference)"] ?? 0, jump.value) }
      if jump.value > bound {
        ledger.problem("\(name): \(property.reference) jumps by \(jump.value) in frame \(values.frame): \(jump.place)")
        courses[property.reference] = nil
      }
    }
  }
}

extension Lanes {
  fileprivate var isFinite: Bool { (0..<count).allSatisfy { self[$0].isFinite } }
}
