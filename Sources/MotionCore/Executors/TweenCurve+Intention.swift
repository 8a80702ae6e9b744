package import MotionModel
package import MotionPhysics

extension TweenCurve {
  /// The curve of a plan whose property is at `start` when the plan begins.
  ///
  /// - Throws: `Refusal` with field and remedy if the fields do not make one.
  package init(of tween: TweenIntention, from start: PropertyState) throws(Refusal) {
    let points = tween.points(from: start.value)
    if let odd = points.first(where: { $0.count != start.value.count }) {
      throw Refusal(
        .lanes, field: tween.values.contains(odd) ? "values" : "from",
        "\(odd) has \(odd.count) lanes, \(tween.property) has \(start.value.count)",
        remedy: "Give every value as many lanes as the property has.")
    }
    let keyframes = try Self.keyframes(of: tween, through: points)
    let repeatCount: Double = if case .times(let times) = tween.repetition { times } else { .infinity }
    do {
      try self.init(
        keyframes: keyframes, duration: tween.duration.inSeconds, delay: tween.delay.inSeconds,
        repeatCount: repeatCount, autoreverses: tween.autoreverses,
        inheritedVelocity: tween.carries(from: start) ? start.velocity.storage : nil)
    } catch {
      throw Refusal(.value, error.problem, remedy: Self.sentence(error.remedy))
    }
  }

  private static func keyframes(of tween: TweenIntention, through points: [Lanes]) throws(Refusal) -> Keyframes {
    let timings = try TimingFunction.named(by: tween.easing)
    do {
      return try Keyframes(
        values: points.map(\.storage), offsets: tween.offsets.isEmpty ? nil : tween.offsets, timings: timings)
    } catch {
      // The intention has checked all the rest; only the offsets can still be wrong.
      throw Refusal(.value, field: "offsets", error.problem, remedy: sentence(error.remedy))
    }
  }

  /// A remedy as a sentence of its own: "give two" becomes "Give two."
  private static func sentence(_ remedy: String) -> String {
    remedy.prefix(1).uppercased() + remedy.dropFirst() + "."
  }
}

extension TweenIntention {
  /// Whether there is a velocity to blend out. From rest a tween moves exactly as its easing defines, at once.
  package func carries(from start: PropertyState) -> Bool { carries && start.velocity.storage != .zero }
}
