import MotionModel

extension Coordinator {
  /// The control group in which workers have their shares of the processors, or the reason why there is none.
  static func controlGroup(_ settings: CoordinatorSettings) -> Result<ControlGroup, ControlGroupError> {
    guard settings.takesControlGroup else { return .failure(ControlGroupError("motiond is part of another program")) }
    return Result { () throws(ControlGroupError) in try ControlGroup.take() }
  }

  /// The share of the processors for the present life of a worker, if one was asked for and there is a control group.
  func share(of slot: WorkerSlot) -> ControlGroup.Share? {
    guard let weight = slot.launch.limits.asked.cpuWeight, case .success(let group) = controlGroup else { return nil }
    return group.share(weight, of: "\(slot.address)", incarnation: slot.incarnation)
  }

  /// The consequence and the reason, if a worker lacks the share that it should have; `nil` if nothing is missing.
  func missingShare(of slot: WorkerSlot) -> String? {
    let limits = slot.launch.limits
    guard slot.remote == nil, let weight = limits.asked.cpuWeight, case .failure(let reason) = controlGroup else {
      return nil
    }
    let instead = weight < 100 ? "becomes niceness \(limits.niceness(hasShare: false))" : "is ignored"
    return "cpuWeight \(instead), for motiond has no control group of its own: \(reason)"
  }
}
