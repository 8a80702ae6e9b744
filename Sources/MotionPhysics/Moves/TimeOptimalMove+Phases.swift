extension TimeOptimalMove {
  /// By how much both halves of a move may miss each other, relative to the largest terms of the sums.
  ///
  /// 1e-10: a thousandth of a promille of a pixel on any screen; the usual error is 1e-15.
  static let greatestGap = 1e-10

  /// Places phases in time and space.
  ///
  /// The states of the first segments are computed forwards from the initial state, the others backwards from the final
  /// one, so that both ends are exact. They meet at the end of the longest phase.
  ///
  /// - Throws: ``MoveError/Code/notRepresentable`` if they do not meet within rounding errors.
  init(phases: [MovePhase], from: MoveState, to: MoveState, duration: Double) throws(MoveError) {
    var segments: [MoveSegment] = []
    segments.reserveCapacity(phases.count)
    var longest = -1
    var longestDuration = 0.0
    for index in 0..<phases.count where phases[index].duration > longestDuration {
      longest = index
      longestDuration = phases[index].duration
    }
    guard duration.isFinite else { throw .beyondRange }
    guard longest >= 0 else {
      self.init(segments: [], from: from, to: to, duration: duration)
      return
    }
    var time = 0.0
    // The largest terms of the sums.
    var way = max(abs(from.position), abs(to.position))
    var speed = max(abs(from.velocity), abs(to.velocity))
    var forwards = (position: from.position, velocity: from.velocity)
    for index in 0...longest {
      let phase = phases[index]
      segments.append(phase.segment(at: time, position: forwards.position, velocity: forwards.velocity))
      forwards = phase.after(forwards.position, forwards.velocity)
      time += phase.duration
      speed = max(speed, abs(forwards.velocity))
      way = max(way, abs(forwards.position), speed * phase.duration)
    }
    var backwards = (position: to.position, velocity: to.velocity)
    let first = segments.count
    var end = duration
    for index in (longest + 1..<phases.count).reversed() {
      let phase = phases[index]
      backwards = phase.before(backwards.position, backwards.velocity)
      end -= phase.duration
      speed = max(speed, abs(backwards.velocity))
      way = max(way, abs(backwards.position), speed * phase.duration)
      segments.append(phase.segment(at: end, position: backwards.position, velocity: backwards.velocity))
    }
    segments[first...].reverse()
    guard abs(backwards.position - forwards.position) <= Self.greatestGap * way,
      abs(backwards.velocity - forwards.velocity) <= Self.greatestGap * speed, way.isFinite
    else { throw .beyondRange }
    self.init(segments: segments, from: from, to: to, duration: duration)
  }
}
