import MotionCore
import MotionModel
import MotionStreams

/// Moves a property evenly to a value, by streams: for tests of their visible effects.
enum StreamedMove {
  /// Declares executors of the same type and intention as ``UnrulyExecutor``, for properties of one lane.
  static func declaration(of name: String) throws -> ExecutorDeclaration {
    let description = try UnrulyExecutor.description(of: name)
    return StreamExecutor.declaration(try ExecutorType(name), [description]) { plan in
      guard case .property(let property)? = description.value(of: "property", in: plan.intention),
        case .duration(let duration)? = description.value(of: "duration", in: plan.intention)
      else { return }
      let start: Moving<Double> = try plan.start(of: property)
      let end = plan.intention["to"]?.lanes?[0] ?? 1
      let share = shareOfTime(plan.clock, duration: duration / .seconds(1))
      try plan.write(
        share.rewriteRange(start: 0, end: 1, destinationStart: start.value, destinationEnd: end), to: property)
    }
  }

  /// From 0 to 1 in `duration` seconds, then at rest.
  private static func shareOfTime(_ clock: any FrameClock, duration: Double) -> MotionObservable<Double> {
    MotionObservable<Double>(Metadata("share(of:)", args: [duration])) { observer in
      var elapsed = 0.0
      observer.state(.active)
      var frames: Subscription?
      frames = clock.subscribe {
        elapsed += $0.dt
        observer.next(min(elapsed / duration, 1))
        guard elapsed >= duration else { return }
        frames?.unsubscribe()
        observer.state(.atRest)
      }
      return { frames?.unsubscribe() }
    }
  }
}
