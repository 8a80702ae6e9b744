import MotionModel
import MotionPhysics

extension PropertyMotion {
  func write(to bytes: inout SnapshotWriter) {
    switch mover {
    case .onTime: bytes.write(0)
    case .behind(let frames):
      bytes.write(1)
      bytes.write(frames)
    case .coasting(let law, let since):
      bytes.write(2)
      bytes.write(law.startVelocity)
      bytes.write(law.framesDone)
      bytes.write(law.value)
      bytes.write(law.velocity)
      bytes.write(since)
    case .retreating: bytes.write(3)
    }
    bytes.write(firstSampleDue) { $0.write($1) }
    bytes.write(firstSample) { $1.write(to: &$0) }
    bytes.write(blend) { $1.write(to: &$0) }
    bytes.write(grip) { $0.write($1) }
    bytes.write(word) { $1.write(to: &$0) }
    bytes.write(newPlan) { bytes, plan in
      bytes.write(plan.executor)
      bytes.write(plan.command)
      bytes.write(plan.overdueSince) { $0.write($1) }
    }
  }

  init(_ bytes: inout SnapshotReader) throws {
    let mover: Mover
    switch try bytes.number() {
    case 0: mover = .onTime
    case 1: mover = .behind(frames: try bytes.number())
    case 2:
      let (start, frames) = (try bytes.vector(), try bytes.number(below: Coasting.frames + 1))
      let law = Coasting(from: start, after: frames, value: try bytes.vector(), velocity: try bytes.vector())
      mover = .coasting(law, since: try bytes.moment())
    case 3: mover = .retreating
    default: throw bytes.damage
    }
    let due = try bytes.optional { try $0.number() }
    let first = try bytes.optional { try Sample(&$0) }
    self.init(
      mover: mover, next: first.map { .arrived($0, due: due) } ?? due.map { .due(frame: $0) } ?? .unknown,
      blend: try bytes.optional { try Blend(&$0) }, grip: try bytes.optional { try $0.vector() },
      word: try bytes.optional { try Sample(&$0) },
      newPlan: try bytes.optional { bytes in
        NewPlan(
          executor: try bytes.executor(), command: try bytes.number(),
          overdueSince: try bytes.optional { try $0.moment() })
      })
  }

  /// Whether all that it moves by has so many lanes.
  func has(lanes: Int) -> Bool {
    [word?.state, firstSample?.state, blend?.lastSample].allSatisfy { $0.map { $0.value.count == lanes } ?? true }
  }
}

extension PropertyMotion.Sample {
  fileprivate func write(to bytes: inout SnapshotWriter) {
    bytes.write(executor)
    bytes.write(state)
    bytes.write(UInt64(imposes.rawValue))
    bytes.write(remaining) { $0.write($1) }
    bytes.write(carry) { $0.write($1) }
    bytes.write(isFromNewPlan)
    bytes.write(framesBehind)
    bytes.write(cameLate)
    bytes.write(waited)
  }

  fileprivate init(_ bytes: inout SnapshotReader) throws {
    self.init(
      executor: try bytes.executor(), state: try bytes.state(),
      imposes: Imposed(rawValue: UInt8(try bytes.number(below: 256))),
      remaining: try bytes.optional { try $0.duration() }, carry: try bytes.optional { try $0.duration() },
      isFromNewPlan: try bytes.flag(), framesBehind: try bytes.number(), cameLate: try bytes.flag(),
      waited: try bytes.moment())
  }
}

extension PropertyMotion.Blend {
  fileprivate func write(to bytes: inout SnapshotWriter) {
    bytes.write(fade.difference)
    bytes.write(fade.carried) { $0.write($1) }
    bytes.write(startTime)
    bytes.write(lastSample)
    bytes.write(isRecovery)
    bytes.write(comesToRest)
  }

  fileprivate init(_ bytes: inout SnapshotReader) throws {
    let fade = HandoverFade(try bytes.offset(), try bytes.optional { try $0.offset() })
    self.init(
      fade: fade, startTime: try bytes.moment(), lastSample: try bytes.state(), isRecovery: try bytes.flag(),
      comesToRest: try bytes.flag())
  }
}

extension SnapshotWriter {
  mutating func write(_ offset: VanishingOffset) {
    write(offset.value)
    write(offset.velocity)
    write(offset.duration)
  }
}

extension SnapshotReader {
  mutating func offset() throws -> VanishingOffset {
    let (value, velocity, duration) = (try vector(), try vector(), try duration())
    guard duration <= Self.longest else { throw damage }
    return VanishingOffset(value: value, velocity: velocity, duration: duration)
  }

  /// 30,000 years, in seconds.
  private static var longest: Double { 1e12 }

  /// A moment, in seconds.
  fileprivate mutating func moment() throws -> Double {
    let number = try double()
    guard abs(number) <= Self.longest else { throw damage }
    return number
  }

  /// A number of seconds that is not negative.
  mutating func duration() throws -> Double {
    let seconds = try double()
    guard seconds >= 0 else { throw damage }
    return seconds
  }
}
