import MotionModel

/// One plan in one driver, from its addition on, with all reports of the executor.
struct ExecutorRun {
  let driver: any ExecutorDriver
  let identity: IntentionIdentity
  let kind: IntentionKind
  /// The properties that the plan writes, with their states when it was added.
  let starts: [PropertyName: PropertyState]
  private(set) var reports: [ExecutorReport] = []

  /// Adds `plan`; `nil` if the executor refuses or does not describe it.
  init?(_ driver: any ExecutorDriver, adding plan: Intention, named name: IntentionName? = nil) {
    guard let description = driver.descriptions.first(where: { $0.type == plan.type }),
      let identity = try? driver.add(plan, named: name)
    else { return nil }
    self.driver = driver
    self.identity = identity
    kind = description.kind(of: plan)
    var starts: [PropertyName: PropertyState] = [:]
    for property in description.propertiesWritten(by: plan) { starts[property] = driver.state(of: property) }
    self.starts = starts
  }

  /// Runs frames, and collects the reports.
  mutating func advance(_ frames: Int, by dt: Double) {
    for _ in 0..<frames { driver.advance(by: dt) }
    reports += driver.takeReports()
  }

  /// Runs frames until the executor requests none, at most `limit` of them.
  mutating func advanceUntilIdle(within limit: Int, by dt: Double) {
    for _ in 0..<limit where driver.wantsFrames { driver.advance(by: dt) }
    reports += driver.takeReports()
  }

  /// Discards the reports up to now, so that later ones can be checked alone.
  mutating func forget() {
    reports += driver.takeReports()
    reports.removeAll()
  }

  /// The outcomes of a plan, one for each time it was finished.
  func outcomes(of identity: IntentionIdentity) -> [Outcome] {
    reports.compactMap { report in
      guard case .finished(identity, let outcome) = report.content else { return nil }
      return outcome
    }
  }

  /// The writes to `property`.
  func writes(of property: PropertyName) -> [(time: Double, state: PropertyState, imposing: Imposed)] {
    reports.compactMap { report in
      guard case .wrote(property, let state, let imposing, _, _) = report.content else { return nil }
      return (report.time, state, imposing)
    }
  }

  /// The times of frames in which a token ended. The gesture was released within them, so that their last values are
  /// those of an earlier moment.
  var releases: Set<Double> {
    Set(
      reports.compactMap { report in
        guard case .ended = report.content else { return nil }
        return report.time
      })
  }
}
