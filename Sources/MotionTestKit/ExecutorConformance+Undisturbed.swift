import MotionModel

/// The rules for a plan that runs undisturbed.
extension ExecutorConformance {
  /// A run of `plan` up to its end, or for at most ``timeout`` frames; `nil` if the executor refuses the plan.
  func run(_ plan: Intention) -> ExecutorRun? {
    var run = ExecutorRun(makeDriver(), adding: plan)
    run?.advanceUntilIdle(within: timeout, by: dt)
    return run
  }

  func checkRepeatable(_ plan: Intention) -> [String] {
    guard let first = run(plan), let second = run(plan) else { return ["the plan is refused"] }
    return difference(first.reports, second.reports).map { ["a second run differs: \($0)"] } ?? []
  }

  func checkWrites(_ plan: Intention) -> [String] {
    guard let run = run(plan) else { return [] }
    var details: [String] = run.reports.compactMap { report in
      guard case .wroteRefused(let property, let reason) = report.content else { return nil }
      return "a write of \(property) at \(report.time) s is refused: \(reason)"
    }
    if run.driver.abilities.contains(.updates), !run.starts.isEmpty,
      run.starts.keys.allSatisfy({ run.writes(of: $0).isEmpty })
    {
      details.append("nothing is written")
    }
    return details
  }

  func checkVelocity(_ plan: Intention) -> [String] {
    guard let run = run(plan) else { return [] }
    return run.starts.flatMap { property, start in
      let writes = run.writes(of: property)
      guard let first = writes.first else { return [String]() }
      var path = writes.map { (time: $0.time, state: $0.state) }
      if !first.imposing.contains(.value) { path.insert((first.time - dt, start), at: 0) }
      return breaks(in: path, except: run.releases).map { "\(property) \($0)" }
    }
  }

  /// The steps in which values do not move as the velocities state.
  ///
  /// Between two frames the distance is at least dt times the lower and at most dt times the higher of both velocities:
  /// the trapezoid's dt·(v₁ + v₂)/2 with an error of at most dt·|v₂ − v₁|/2, which a corner reaches. A smoother
  /// movement has a smaller error, except for a peak of velocity between the frames, which ``tolerance`` allows for.
  func breaks(in path: [(time: Double, state: PropertyState)], except releases: Set<Double>) -> [String] {
    let fastest = path.map { $0.state.velocity.storage.magnitude }.max() ?? 0
    return zip(path, path.dropFirst()).compactMap { from, to in
      let dt = to.time - from.time
      // In a gap between writes the executor rests, or another writer drives.
      guard dt <= self.dt * 1.5, !releases.contains(to.time) else { return nil }
      let (v1, v2) = (from.state.velocity.storage, to.state.velocity.storage)
      let miss = (to.state.value.storage - from.state.value.storage - (v1 + v2) * (dt / 2)).magnitude
      let scale = from.state.value.storage.magnitude + to.state.value.storage.magnitude
      // 1e-12 of the values covers the rounding errors of a difference of two.
      let allowed = dt * ((v2 - v1).magnitude / 2 + tolerance * fastest) + 1e-12 * scale
      guard miss > allowed else { return nil }
      return "moves from \(from.state.value) to \(to.state.value) at \(to.time) s with velocities "
        + "\(from.state.velocity) and \(to.state.velocity)"
    }
  }

  func checkFrames(_ plan: Intention) -> [String] {
    guard let fine = run(plan), var coarse = ExecutorRun(makeDriver(), adding: plan) else { return [] }
    coarse.advanceUntilIdle(within: timeout / 3, by: 3 * dt)
    var details: [String] = []
    for (property, start) in fine.starts {
      let writes = fine.writes(of: property)
      let known = Dictionary(writes.map { ($0.time, $0.state.value) }, uniquingKeysWith: { $1 })
      let range = writes.map { ($0.state.value.storage - start.value.storage).magnitude }.max() ?? 0
      for write in coarse.writes(of: property) {
        guard let same = known[write.time] else { continue }
        // A millionth of the range is far more than any rounding error, and far less than the error of a value that is
        // a frame late.
        guard (same.storage - write.state.value.storage).magnitude > 1e-6 * range else { continue }
        details.append("\(property) is \(write.state.value) at \(write.time) s in long frames, \(same) in short ones")
      }
    }
    return details
  }

  func checkFinish(_ plan: Intention) -> [String] {
    guard let run = run(plan) else { return [] }
    var details: [String] = run.reports.compactMap { report in
      guard case .finished(let identity, _) = report.content, identity != run.identity else { return nil }
      return "finishes \(identity), which it was not given"
    }
    let outcomes = run.outcomes(of: run.identity)
    guard run.kind == .oneShot else {
      if !outcomes.isEmpty { details.append("finishes, though it is \(run.kind.rawValue)") }
      return details
    }
    if outcomes != [.completed] { details.append("is over as \(outcomes.map(\.rawValue)) in \(timeout) frames") }
    if run.driver.isActive { details.append("is still active after \(timeout) frames") }
    for property in run.starts.keys {
      if let last = run.writes(of: property).last, last.state.velocity.storage != .zero {
        details.append("leaves \(property) with velocity \(last.state.velocity)")
      }
    }
    return details
  }

  func checkTokens(_ plan: Intention) -> [String] {
    guard let driver = run(plan)?.driver, !driver.tokens.isEmpty else { return [] }
    let tokens = driver.tokens.sorted().map(\.text).joined(separator: ", ")
    return ["still holds \(tokens) after \(timeout) frames"]
  }

  /// The first difference of two runs, as text.
  func difference(_ first: [ExecutorReport], _ second: [ExecutorReport]) -> String? {
    if let (one, other) = zip(first, second).first(where: { $0 != $1 }) {
      return "\(one.content), then \(other.content)"
    }
    return first.count == second.count ? nil : "\(first.count) reports, then \(second.count)"
  }
}

extension SIMD4<Double> {
  /// The Euclidean length of all lanes.
  var magnitude: Double { (self * self).sum().squareRoot() }
}
