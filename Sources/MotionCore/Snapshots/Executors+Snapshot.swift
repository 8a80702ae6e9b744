import MotionModel
import MotionPhysics

extension PhysicsExecutor {
  func write(to bytes: inout SnapshotWriter) {
    bytes.write(bodies) { bytes, body in
      bytes.write(movement.handle(at: body.slot))
      bytes.write(body.forces.count)
      for index in body.forces.indices {
        bytes.write(body.forces[index].identity)
        bytes.write(body.actions[index].tiedAnchor(to: body.forces[index].leader?.reference)) { $0.write($1) }
      }
      bytes.write(body.isChanged)
      bytes.write(body.isKicked)
      let moving = body.handle.flatMap { movement.bank.movingState(of: $0) }
      bytes.write(body.handle == nil ? 0 : moving == nil ? 1 : 2)
      if let moving {
        for vector in [moving.value, moving.velocity, moving.distance] { bytes.write(vector) }
      } else if let handle = body.handle {
        bytes.write(movement.bank.value(of: handle))
      }
    }
  }

  /// Reads the bodies.
  ///
  /// - Parameter law: the force of one of its plans.
  func restore(_ bytes: inout SnapshotReader, _ law: (IntentionIdentity) -> ForceLaw?) throws {
    for _ in 0..<(try bytes.count()) {
      guard let slot = movement.properties.slot(of: PropertyHandle(try bytes.number32())),
        !bodies.contains(where: { $0.slot == slot })
      else { throw bytes.damage }
      let body = Body(slot)
      for _ in 0..<(try bytes.count()) {
        let identity = try bytes.identity()
        let anchor = try bytes.optional { try $0.vector() }
        guard var force = law(identity) else { throw bytes.damage }
        if let anchor { force.action.moveAnchor(to: anchor) }
        body.append(identity, force)
      }
      guard !body.forces.isEmpty else { throw bytes.damage }
      (body.isChanged, body.isKicked) = (try bytes.flag(), try bytes.flag())
      let sum = sum(to: body)
      guard isUsable(sum) else { throw bytes.damage }
      body.keep(sum)
      let state = try bytes.number(below: 3)
      if state > 0 {
        let value = try bytes.vector()
        let lanes = movement.properties.lanes(at: slot)
        let handle = movement.bank.insert(
          lanes: lanes, forces: sum, value: value, velocity: .zero, threshold: threshold(of: body), tag: UInt32(slot))
        body.handle = handle
        if state == 2 {
          movement.bank.setState(
            .init(value: value, velocity: try bytes.vector(), distance: try bytes.vector()), for: handle)
        } else {
          movement.bank.rest(handle, at: value)
        }
      }
      bodies.append(body)
    }
  }
}

extension ForceLaw.Action {
  /// The anchor of a spring that is tied to a property.
  fileprivate func tiedAnchor(to leader: PropertyReference?) -> SIMD4<Double>? {
    if leader != nil, case .spring(_, let anchor) = self { anchor.lanes } else { nil }
  }
}

extension CourseExecutor {
  /// Writes the courses.
  fileprivate func write(to bytes: inout SnapshotWriter, _ write: (inout SnapshotWriter, Way) -> Void) {
    bytes.write(displaced.sorted()) { $0.write($1.text) }
    bytes.write(courses) { bytes, course in
      bytes.write(course.identity)
      write(&bytes, course)
    }
  }

  /// Reads the courses.
  ///
  /// - Parameter course: the course of one of its plans.
  fileprivate func restore(
    _ bytes: inout SnapshotReader, _ course: (IntentionIdentity, inout SnapshotReader) throws -> Way?
  ) throws {
    displaced = Set(
      try bytes.list { bytes in
        guard let name = try? PropertyName(try bytes.text()) else { throw bytes.damage }
        return name
      })
    courses = try bytes.list { bytes in
      guard let course = try course(try bytes.identity(), &bytes) else { throw bytes.damage }
      return course
    }
  }
}

extension FollowExecutor {
  func write(to bytes: inout SnapshotWriter) { write(to: &bytes) { $1.write(to: &$0) } }

  /// - Parameter plan: one of its plans.
  func restore(_ bytes: inout SnapshotReader, _ plan: (IntentionIdentity) -> FollowIntention?) throws {
    try restore(&bytes) { identity, bytes in
      guard var course = plan(identity).map({ FollowCourse($0, of: identity) }) else { return nil }
      try course.restore(&bytes)
      return course
    }
  }
}

extension WaveExecutor {
  func write(to bytes: inout SnapshotWriter) { write(to: &bytes) { $1.write(to: &$0) } }

  /// - Parameter plan: one of its plans, and when it began, in seconds.
  func restore(
    _ bytes: inout SnapshotReader, _ plan: (IntentionIdentity) -> (intention: WaveIntention, since: Double)?
  ) throws {
    try restore(&bytes) { identity, bytes in
      guard let plan = plan(identity) else { return nil }
      var course = WaveCourse(plan.intention, of: identity, since: plan.since)
      try course.restore(&bytes)
      return course
    }
  }
}

extension FollowExecutor {
  /// Notes the present value of an input, of which the courses have seen the samples.
  func restore(_ row: InputRow) {
    for index in courses.indices where courses[index].input == row.name { courses[index].row = row }
  }
}

extension FollowCourse {
  fileprivate func write(to bytes: inout SnapshotWriter) {
    bytes.write(estimator.samples) { bytes, sample in
      bytes.write(sample.time)
      bytes.write(sample.value)
    }
    for flag in [isMoving, isAtRest, hasInput] { bytes.write(flag) }
    bytes.write(target)
    bytes.write(state) { bytes, state in
      bytes.write(state.value)
      bytes.write(state.velocity)
    }
    bytes.write(fade) { bytes, fade in
      bytes.write(fade.offset)
      bytes.write(fade.since)
    }
  }

  fileprivate mutating func restore(_ bytes: inout SnapshotReader) throws {
    estimator = VelocityEstimator(
      try bytes.list { VelocityEstimator.Sample(time: try $0.double(), value: try $0.vector()) })
    (isMoving, isAtRest, hasInput) = (try bytes.flag(), try bytes.flag(), try bytes.flag())
    target = try bytes.vector()
    state = try bytes.optional { (try $0.vector(), try $0.vector()) }
    fade = try bytes.optional { (try $0.offset(), try $0.double()) }
  }
}

extension WaveCourse {
  fileprivate func write(to bytes: inout SnapshotWriter) {
    for flag in [isMoving, isAtRest, isNew] { bytes.write(flag) }
    bytes.write(passage) { bytes, passage in
      bytes.write(passage.0.value)
      bytes.write(passage.0.velocity)
      bytes.write(passage.0.duration)
      bytes.write(passage.since)
    }
    bytes.write(last) { bytes, last in
      for vector in [last.value, last.velocity, last.acceleration] { bytes.write(vector) }
    }
  }

  fileprivate mutating func restore(_ bytes: inout SnapshotReader) throws {
    (isMoving, isAtRest, isNew) = (try bytes.flag(), try bytes.flag(), try bytes.flag())
    passage = try bytes.optional { bytes in
      let (value, velocity, duration) = (try bytes.vector(), try bytes.vector(), try bytes.double())
      guard duration > 0 else { throw bytes.damage }
      return (Crossfade(value: value, velocity: velocity, duration: duration), since: try bytes.double())
    }
    last = try bytes.optional { bytes in
      Wave.Sample(value: try bytes.vector(), velocity: try bytes.vector(), acceleration: try bytes.vector())
    }
  }
}

extension MoveExecutor {
  func write(to bytes: inout SnapshotWriter) {
    bytes.write(courses) { bytes, course in
      bytes.write(course.identity)
      bytes.write(course.upTo)
    }
  }

  /// Reads the courses, which follow from their plans.
  ///
  /// - Parameter plan: one of its plans, with its limits and its duration.
  func restore(
    _ bytes: inout SnapshotReader,
    _ plan: (IntentionIdentity) -> (planned: PlannedIntention, limits: PropertyLimits, duration: Double?)?
  ) throws {
    for _ in 0..<(try bytes.count()) {
      let (identity, upTo) = (try bytes.identity(), try bytes.double())
      guard let known = plan(identity), !courses.contains(where: { $0.identity == identity }) else {
        throw bytes.damage
      }
      let count = courses.count
      try add(known.planned, limits: known.limits, lasting: known.duration, at: upTo)
      guard courses.count == count + 1 else { throw bytes.damage }
    }
  }
}
