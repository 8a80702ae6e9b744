public import MotionModel

extension Runtime {
  /// Accepts pointer input; it is applied at the beginning of the next frame, after earlier commits.
  ///
  /// Input is dropped if no executor could receive it, because nothing is under way and no manipulation is on the
  /// target. Thus an idle runtime stays idle under an idle pointer.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when ``/MotionModel/Limits/waitingInputs`` wait already, because time stands or
  ///   frames are late.
  public func submit(_ input: PointerInput) throws(Refusal) {
    guard isActive || takesInput(input.target) else { return }
    try queue.append(input)
    refreshActivity()
  }

  /// Whether an executor of the target has a manipulation.
  public func takesInput(_ target: TargetName) -> Bool {
    plans.targets[target]?.executors.contains { plans.executors[$0].map(takesInput) ?? false } ?? false
  }

  private func takesInput(_ record: ExecutorRecord) -> Bool {
    (record.abilities.contains(.takesInput) || record.worker != nil)
      && record.intentions.contains { identity in
        plans.intentions[identity].map { $0.kind == .manipulation && $0.state == .added } ?? false
      }
  }

  /// Passes input to every executor of the target that has a manipulation there.
  func apply(_ input: PointerInput) {
    for handle in plans.targets[input.target]?.executors ?? [] {
      guard let record = plans.executors[handle], takesInput(record) else { continue }
      if let worker = record.worker {
        workers.send(.input(handle, input, over: whatMayBeTaken(by: record)), to: worker)
      } else {
        record.input?.receive(input)
      }
      activity.expectAnswer(of: record)
    }
    settle()
  }

  /// The states of the properties that a manipulation may be about to take: it begins from there.
  private func whatMayBeTaken(by record: ExecutorRecord) -> [ReadProperty] {
    plans.writtenSlots(of: record).filter { movement.properties[$0].stack.driver != record.handle }
      .map { ReadProperty(movement.properties[$0].reference, movement.properties.state(at: $0)) }
  }
}
