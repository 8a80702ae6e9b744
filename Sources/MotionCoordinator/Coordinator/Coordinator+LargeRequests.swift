import Logging
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// How long a turn works at large requests: half of a frame at the highest rate. The rest continues in the next turn,
  /// which comes at once.
  static let largeRequestTime = Duration.microseconds(500)
  /// Operations of large transactions that are checked and staged between two reads of the clock: some 100 µs, by which
  /// a frame that is due may be late.
  static let operationsAtATime = 64
  /// Targets among which a selector searches between two reads of the clock, in some 50 µs.
  static let targetsAtATime = 256
  /// Targets and operations that a commit with selectors may look at when it arrives: as many as operations of a commit
  /// whose message is not large, roughly.
  static let targetsAtOnce = 256

  /// Carries out large requests, in order. Each turn handles a piece of a large transaction, and ends when a frame is
  /// due.
  func doLargeRequests(at now: Duration) {
    let end = min(now + Self.largeRequestTime, max(now, clock.deadline ?? .seconds(Int64.max)))
    repeat {
      guard giveUpStaged() else { continue }
      if let step = clients.large.nextCue() {
        guard take(step, until: end, at: now) else { return }
        continue
      }
      guard let first = clients.large.requests.first else { continue }
      do {
        guard try check(first, until: end, at: now) else { return }
        take(first, at: now, checked: clients.large.check)
      } catch {
        refuse(error, to: first.client, request: first.request)
      }
      clients.large.finish()
      clients.large.requests.removeFirst()
      clients.decoder.finish(first)
    } while !clients.large.isEmpty && machine.now < end
  }

  /// Whether a request is carried out piece by piece although its message is small: the targets for which its selectors
  /// stand are searched for among many.
  func isLarge(_ request: RequestDecoder.Decoded) -> Bool {
    guard case .success((let envelope, _)) = request.result, case .commit(let commit) = envelope.body,
      commit.transaction.hasRequests
    else { return false }
    // One that is refused is refused at once.
    return (try? TargetResolution(commit.transaction, in: runtime)).map { $0.cost > Self.targetsAtOnce } ?? false
  }

  /// Commits the steps that lists of cues take by themselves after a frame, in pieces: a cue may do much.
  func takeCues(at now: Duration) {
    guard !isStopping else { return }
    for step in commits.cues.due(in: runtime, at: now) { clients.large.append(step) }
  }

  /// Works at a step that a list of cues takes by itself.
  ///
  /// - Returns: whether it is done.
  private func take(_ step: CueDriver.Step, until end: Duration, at now: Duration) -> Bool {
    do throws(Refusal) {
      if !isStopping {
        let decoded = DecodedCommit(of: step.commit)
        guard try check(step.commit, decoded, until: end, at: now) else { return false }
        try accept(
          CommitRequest(
            commit: step.commit, decoded: decoded, client: 0, requester: nil, wallTime: machine.wallTime),
          clients.large.check, at: now)
      }
      clients.large.finishCue()
    } catch {
      clients.large.finishCue()
      switch commits.cues.remedy(for: step, error, in: runtime) {
      case .none: break
      case .later: logger.warning("the cue list \(step.list) goes on as soon as it can: \(error)")
      case .without(let next):
        logger.error("the cue list \(step.list) goes on without what its cue does: \(error)")
        clients.large.append(next)
      }
    }
    return true
  }

  /// Discards a piece of what was staged for a refused transaction.
  ///
  /// - Returns: whether nothing is left of it.
  private func giveUpStaged() -> Bool {
    guard let check = clients.large.checked.last else { return true }
    if check.giveUp(Self.operationsAtATime) { clients.large.checked.removeLast() }
    return clients.large.checked.isEmpty
  }

  /// Checks the next piece of a transaction, and stages it.
  ///
  /// - Returns: whether nothing is left to check.
  private func check(
    _ request: RequestDecoder.Decoded, until end: Duration, at now: Duration
  ) throws(Refusal) -> Bool {
    guard case .success((let envelope, let decoded?)) = request.result, case .commit(let commit) = envelope.body,
      envelope.epoch == 0 || envelope.epoch == epoch, !isStopping
    else { return true }
    return try check(commit, decoded, until: end, at: now)
  }

  private func check(
    _ commit: Commit, _ decoded: DecodedCommit, until end: Duration, at now: Duration
  ) throws(Refusal) -> Bool {
    do {
      if clients.large.check == nil {
        // A transaction that was committed before is answered without a check.
        guard commits.recall(commit.id, decoded.digest, at: now) == .new else { return true }
        if clients.large.resolution == nil {
          clients.large.resolution = try TargetResolution(commit.transaction, in: runtime)
        }
        while let resolution = clients.large.resolution, !resolution.isFinished {
          try resolution.advance(Self.targetsAtATime)
          if machine.now >= end { return false }
        }
        clients.large.check = try clients.large.resolution.map {
          resolution throws(Refusal) in try TransactionCheck(resolution, staging: true)
        }
      }
      guard let check = clients.large.check else { return true }
      // At least one piece is checked: when frames cost more than their period, one is always due.
      repeat { try check.advance(Self.operationsAtATime) } while !check.isFinished && machine.now < end
    } catch {
      throw workers.explain(error, of: commit.transaction)
    }
    return clients.large.check?.isFinished ?? true
  }
}
