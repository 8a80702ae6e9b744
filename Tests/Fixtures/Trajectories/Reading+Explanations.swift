extension Reading {
  /// Every possible cause of `now`: the previous driver continues, or a driver that is due takes over.
  func explanations(of now: Motion) -> [Explanation] {
    var found: [Explanation] = []
    var next = leg + 1
    while next < legs.count, isDue(next) {
      if leg < 0 || next == leg + 1 { found += takeOver(next, by: now) }
      next += 1
    }
    // Drivers in the daemon, and a hand that is waited for, take over when they are due.
    if found.isEmpty || mayWait { found.append(goOn(to: now)) }
    return found
  }

  /// Whether the property has no driver, between a hand and the tween that follows it in another worker.
  var isWithoutMover: Bool {
    guard leg >= 0, case .hand = legs[leg].mover, leg + 1 < legs.count, case .tween = legs[leg + 1].mover else {
      return false
    }
    return stage.latency > 0 && isDue(leg + 1)
  }

  /// Whether a leg may move the property in this frame.
  private func isDue(_ index: Int) -> Bool {
    guard let cue = legs[index].cue else { return leg == index - 1 && isOver }
    let isDaemons = if case .forces = legs[index].mover { !legs[index].followsHand } else { false }
    return frame >= frameOf(cue) + (isDaemons ? 0 : stage.latency)
  }

  private func frameOf(_ cue: Int) -> Int { cue < frames.count ? frames[cue] : frames[frames.count - 1] + 1 }

  /// Whether the tween has come to its end, except for a rounding of time.
  private var isOver: Bool {
    tween.map { Double(frame - 1 - $0.start) * dt > TweenCourse.duration - dt / 2 } ?? false
  }

  /// Whether a driver that is due may come later: a tween of a worker that is not waited for, and the leg after a
  /// tween's end.
  private var mayWait: Bool {
    guard leg + 1 < legs.count else { return true }
    if stage == .running, case .tween = legs[leg + 1].mover { return true }
    return legs[leg + 1].cue == nil
  }

  // MARK: The driver continues

  private func goOn(to now: Motion) -> Explanation {
    let present = present(to: now)
    return Explanation(
      leg: leg, expected: present.expected, allowance: present.allowance, base: base, tween: tween)
  }

  /// The place of the property if no driver takes over.
  private func present(to now: Motion) -> (expected: Motion, allowance: Motion) {
    guard leg >= 0 else { return (Motion(last.value), Motion()) }
    switch legs[leg].mover {
    case .rest: return (Motion(last.value), Motion())
    case .forces(let forces): return Self.push(left(of: forces), from: last, to: now, dt)
    case .tween:
      guard let tween else { return (last, Motion()) }
      // From the frame before on, so that a property that jumped once is not off for ever.
      let off = states.isEmpty || frame - 1 <= tween.first ? Motion() : last - place(of: tween, at: frame - 1)
      return (place(of: tween, at: frame) + (isOver ? Motion() : off), Motion())
    case .hand(let down):
      if isWithoutMover {
        // Evenly for a frame, and if no sample has arrived by then, the velocity fades over four frames, and the value
        // follows it.
        let lost = coasted == 0 ? 0 : 1 / (4 - Double(min(coasted - 1, 3)))
        return (Motion(last.value + last.velocity * dt * (1 - lost / 2), last.velocity * (1 - lost)), Motion())
      }
      let way = frame - frameOf(down) - stage.latency
      return (Motion(base + Hand.place(way), Hand.velocity(way, ratePerSecond: 1 / dt)), Motion())
    }
  }

  /// The forces without the spring that has arrived.
  private func left(of forces: Forces) -> Forces {
    var forces = forces
    if forces.destination == arrived { forces.destination = nil }
    return forces
  }

  private static func push(
    _ forces: Forces, from last: Motion, to now: Motion, _ dt: Double
  ) -> (expected: Motion, allowance: Motion) {
    let expected = forces.after(last, dt)
    let rests = now.velocity == 0 && (forces.equilibrium.map { $0 == now.value } ?? true)
    return (expected, rests ? forces.snap : Motion())
  }

  private func place(of tween: Tween, at frame: Int) -> Motion {
    tween.course.at(Double(frame - tween.start) * dt) + difference(of: tween, at: frame)
  }

  /// The remaining difference with which a tween took over.
  private func difference(of tween: Tween, at frame: Int) -> Motion {
    guard let difference = tween.difference else { return Motion() }
    let elapsed = Double(frame - difference.frame) * dt
    return TweenCourse.vanishing(Motion(difference.motion.value, 0), elapsed, of: difference.duration)
      + TweenCourse.vanishing(Motion(0, difference.motion.velocity), elapsed, of: difference.carry)
  }

  /// The place of a tween if it continues evenly for the frame, without the remaining difference: another one of the
  /// same executor takes over there.
  private func onward(of tween: Tween) -> Motion {
    let own = last - difference(of: tween, at: frame - 1)
    return Motion(own.value + own.velocity * dt, own.velocity) + difference(of: tween, at: frame)
  }

  // MARK: Another driver takes over

  private func takeOver(_ index: Int, by now: Motion) -> [Explanation] {
    switch legs[index].mover {
    case .rest: return [Explanation(leg: index, expected: Motion(present(to: now).expected.value))]
    case .forces(let forces):
      var start = last
      if let velocity = legs[index].initialVelocity { start.velocity = velocity }
      let pushed = Self.push(left(of: forces), from: start, to: now, dt)
      return [Explanation(leg: index, expected: pushed.expected, allowance: pushed.allowance)]
    case .hand(let down):
      // In one process it takes hold before the frame, across processes at its end.
      let way = frame - frameOf(down) - stage.latency
      let moved = Motion(Hand.place(way), Hand.velocity(way, ratePerSecond: 1 / dt))
      return (stage.latency == 0 ? [last] : presents).map { present in
        Explanation(leg: index, expected: Motion(present.value) + moved, base: present.value)
      }
    case .tween(let destination, let carries):
      return begin(index, to: destination, carries: carries)
    }
  }

  private func begin(_ index: Int, to destination: Double, carries: Bool) -> [Explanation] {
    let delay = legs[index].followsHand ? stage.latency : 0
    let start = frameOf(legs[index].cue ?? 0) + delay - 1
    let origin = start >= 0 && start < states.count ? states[start] : Motion()
    let carries = carries && origin.velocity != 0
    let course = TweenCourse(start: origin, destination: destination, carries: carries)
    var tween = Tween(course: course, start: start, difference: nil)
    let own = course.at(Double(frame - start) * dt)
    guard stage.latency > 0 else { return [Explanation(leg: index, expected: own, tween: tween)] }
    // Its first sample arrives later: until then the previous driver continues, and the difference fades.
    return presents.map { present in
      let difference = Motion(present.value - own.value, carries ? present.velocity - own.velocity : 0)
      let remaining = max(dt, TweenCourse.duration - Double(frame - start) * dt)
      let fade = min(TweenCourse.fade, remaining)
      let carry = carries && present.velocity != 0 ? min(fade, course.carryTime) : fade
      tween.difference = (difference, frame, fade, carry)
      return Explanation(leg: index, expected: own + difference, tween: tween)
    }
  }

  /// The possible places of the property at the end of the frame in which a worker takes over from the previous driver.
  private var presents: [Motion] {
    let present = present(to: last).expected
    guard leg >= 0 else { return [present] }
    switch legs[leg].mover {
    case .tween:
      return [present] + (tween.map { [onward(of: $0)] } ?? [])
    case .forces(let forces):
      // It may come to rest with this very frame.
      let rest = Motion(left(of: forces).equilibrium ?? present.value)
      return (present - rest).magnitude.isWithin(left(of: forces).snap) ? [present, rest] : [present]
    case .rest, .hand: return [present]
    }
  }
}

extension Reading.Tween {
  /// The frame in which it took over.
  fileprivate var first: Int { difference?.frame ?? start }
}
