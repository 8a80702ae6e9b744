import MotionModel

/// The rules for a plan that is interrupted.
extension ExecutorConformance {
  /// A run of `plan` up to the frame at which it is disturbed; `nil` if the executor refuses the plan.
  private func runUpToDisturbance(_ plan: Intention, named name: IntentionName? = nil) -> ExecutorRun? {
    var run = ExecutorRun(makeDriver(), adding: plan, named: name)
    run?.advance(disturbance, by: dt)
    return run
  }

  /// The difference between an undisturbed run and one that `disturb` interrupts, which ought to change nothing.
  private func effect(on plan: Intention, of disturb: (any ExecutorDriver) -> Void) -> String? {
    guard var plain = runUpToDisturbance(plan), var disturbed = runUpToDisturbance(plan) else { return nil }
    disturb(disturbed.driver)
    plain.advanceUntilIdle(within: timeout, by: dt)
    disturbed.advanceUntilIdle(within: timeout, by: dt)
    return difference(plain.reports, disturbed.reports)
  }

  func checkUnknownRemovals(_ plan: Intention) -> [String] {
    // No plan has this identity: sequences count from 1.
    let unknown = IntentionIdentity(sequence: 0, operation: 0, path: [7])
    let effect = effect(on: plan) { driver in
      driver.remove(unknown)
      if driver.abilities.contains(.names) { driver.remove(named: "never added") }
    }
    return effect.map { ["removing an unknown plan has an effect: \($0)"] } ?? []
  }

  func checkRemoval(_ plan: Intention) -> [String] {
    guard var run = runUpToDisturbance(plan) else { return [] }
    run.driver.remove(run.identity)
    return silence(of: &run, after: "removal")
  }

  /// The violations of an executor that ought to have nothing left to do.
  private func silence(of run: inout ExecutorRun, after event: String) -> [String] {
    var details: [String] = []
    if !run.driver.tokens.isEmpty { details.append("holds \(run.driver.tokens.sorted()) after \(event)") }
    run.forget()
    run.advance(disturbance, by: dt)
    details += run.reports.map { "\($0.content) at \($0.time) s, after \(event)" }
    if run.driver.isActive { details.append("still wants frames after \(event)") }
    return details
  }

  func checkReplacement(_ plan: Intention) -> [String] {
    guard var run = runUpToDisturbance(plan), run.kind == .oneShot else { return [] }
    guard let second = try? run.driver.add(plan, named: nil) else {
      return ["the same plan is refused the second time"]
    }
    run.advanceUntilIdle(within: timeout, by: dt)
    var details: [String] = []
    let (first, last) = (run.outcomes(of: run.identity), run.outcomes(of: second))
    if first != [.displaced] { details.append("the first plan is over as \(first.map(\.rawValue))") }
    if last != [.completed] { details.append("the second plan is over as \(last.map(\.rawValue))") }
    return details
  }

  func checkDisplacement(_ plan: Intention) -> [String] {
    guard var run = runUpToDisturbance(plan), run.driver.abilities.contains(.yields) else { return [] }
    for property in run.starts.keys.sorted() { run.driver.displace(property) }
    if run.kind == .oneShot { return silence(of: &run, after: "another writer took over") }
    run.forget()
    run.advance(disturbance, by: dt)
    return run.reports.compactMap { report in
      switch report.content {
      case .wrote, .wroteDisplaced: "\(report.content) at \(report.time) s, while another writer drives"
      default: nil
      }
    }
  }

  func checkResumption(_ plan: Intention) -> [String] {
    guard var run = runUpToDisturbance(plan), run.driver.abilities.contains(.yields), run.kind != .oneShot else {
      return []
    }
    for property in run.starts.keys.sorted() { run.driver.displace(property) }
    run.advance(disturbance, by: dt)
    var given: [PropertyName: PropertyState] = [:]
    for (property, start) in run.starts.sorted(by: { $0.key < $1.key }) {
      // Another value, so that a continuation from any other state is detected.
      let shift = SIMD4(3, 5, 7, 11) * (1 + start.value.storage.magnitude)
      let state = PropertyState(
        Lanes(start.value.storage + shift, count: start.value.count), velocity: start.velocity)
      given[property] = state
      run.driver.resume(property, from: state)
    }
    run.forget()
    run.advance(disturbance, by: dt)
    return given.flatMap { property, state in
      let path = run.writes(of: property).map { (time: $0.time, state: $0.state) }
      guard let first = path.first else { return [String]() }
      return breaks(in: [(first.time - dt, state)] + path, except: run.releases).map {
        "\(property), given back at \(state.value), \($0)"
      }
    }
  }

  func checkRefusal(_ plan: Intention) -> [String] {
    refused.flatMap { bad in
      var details: [String] = []
      let effect = effect(on: plan) { driver in
        if (try? driver.add(bad, named: nil)) != nil { details.append("takes \(bad)") }
      }
      if let effect, details.isEmpty { details.append("refusing \(bad) has an effect: \(effect)") }
      return details
    }
  }

  func checkNames(_ plan: Intention) -> [String] {
    guard var unnamed = runUpToDisturbance(plan), unnamed.driver.abilities.contains(.names) else { return [] }
    guard var named = runUpToDisturbance(plan, named: "name") else { return ["the plan is refused under a name"] }
    if let difference = difference(unnamed.reports, named.reports) {
      return ["a named run differs: \(difference)"]
    }
    named.driver.remove(named: "name")
    var details = silence(of: &named, after: "removal by name")
    guard (try? named.driver.add(plan, named: "name")) != nil else {
      return details + ["the name is refused the second time"]
    }
    unnamed.driver.remove(unnamed.identity)
    unnamed.forget()
    unnamed.advance(disturbance, by: dt)
    guard (try? unnamed.driver.add(plan, named: nil)) != nil else { return details }
    named.forget()
    unnamed.forget()
    named.advance(disturbance, by: dt)
    unnamed.advance(disturbance, by: dt)
    if let difference = difference(unnamed.reports, named.reports) {
      details.append("a plan under a used name differs: \(difference)")
    }
    return details
  }
}
