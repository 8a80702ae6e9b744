import MotionModel
import MotionTestKit
import MotionWire

/// Requests in an order that chance seldom produces.
extension Explorer {
  /// The first request of a script, if it begins with one: not every explorer does.
  func beginScript() -> Envelope.Body? {
    if leaves != nil, random.chance(0.6) { return depart() }
    return switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: duel()
    case 20..<30: lift()
    case 30..<39: giveBack()
    case 39..<45: standStill()
    case 45..<58: schedule()
    case 58..<81: show()
    case 81..<91: arrange()
    case 91..<97: step()
    default: nil
    }
  }

  /// A hand takes a property, and a plan of a higher priority takes it from the hand: by chance that is rare.
  private func duel() -> Envelope.Body {
    let target = pick(plans.targets)
    func touch(_ phase: PointerEvent.Phase, _ x: Double) -> Envelope.Body {
      input([PointerEvent(id: 2, phase, at: [x, 0], time: 0)], on: target)
    }
    // First a worker starts. Then the hand needs a frame or two to hold the property, and the plan to take it.
    script = [
      (commit { $0.add(.draggable(), to: target) }, 700...1200),
      (touch(.down, 0), 5...40), (touch(.move, 40), 5...40), (touch(.move, 60), 200...400),
      (commitOver(target, "position"), 200...400), (touch(.move, 80), 5...40),
      (touch(random.chance(0.5) ? .up : .cancel, 90), 0...250),
    ]
    return nextOfScript()
  }

  /// Limits hold a plan back and are lifted, and another plan may begin at once or while the difference fades: by chance
  /// that is rare.
  private func lift() -> Envelope.Body {
    let target = pick(plans.targets)
    func plan() -> Intention {
      let place = Lanes(Double.random(in: 50...200, using: &random) * (random.chance(0.5) ? 1 : -1))
      let plans: [Intention] = [.springTo("x", place), .anchoredSpring("x", place)]
      return pick(plans)
    }
    var limits = PropertyLimits(acceleration: Lanes(Double.random(in: 50...500, using: &random)))
    if random.chance(0.5) { limits.velocity = 30 }
    if random.chance(0.5) { limits.jerk = 5_000 }
    let (first, second, isAtOnce) = (plan(), plan(), random.chance(0.3))
    script = [
      (
        commit {
          $0.limit("x", of: target, limits)
          $0.add(first, to: target)
        }, 100...400
      ),
      (
        commit {
          random.chance(0.5) ? $0.liftLimits("x", of: target) : $0.limit("x", of: target, PropertyLimits())
          if isAtOnce { $0.add(second, to: target) }
        }, 5...60
      ),
    ]
    if !isAtOnce, random.chance(0.7) { script.append((commit { $0.add(second, to: target) }, 0...250)) }
    return nextOfScript()
  }

  /// A plan of a higher priority takes a property from a worker, displaces another, and gives the property back.
  private func giveBack() -> Envelope.Body {
    let (target, name) = (pick(plans.targets), pick(plans.names))
    // First a worker starts.
    script = [
      (commit { $0.add(.squashAndStretch(), to: target) }, 700...1200),
      (commit { $0.add(.anchoredSpring("scale", [2, 0.5]).priority(1), named: name, to: target) }, 100...300),
      (commit { $0.add(.springTo("scale", [1.5, 0.7]), to: target) }, 5...60),
      (commit { $0.remove(named: name, from: target) }, 100...300),
    ]
    return nextOfScript()
  }

  /// Motion is held for so long that a checkpoint contains that.
  private func standStill() -> Envelope.Body {
    let target = pick(plans.targets)
    let slow = SpringFeel.perceived(duration: .seconds(3))
    script = [
      (commit { $0.add(.springTo("x", 100, slow), to: target) }, 20...200),
      (.clock(.hold(ClockHold(refuses: random.chance(0.3)))), 1_000...2_000), (.clock(.release), 0...250),
    ]
    return nextOfScript()
  }

  /// A transaction becomes due after a checkpoint that contains it, and before the next one.
  private func schedule() -> Envelope.Body {
    func add(at: Double? = nil) -> Envelope.Body {
      let (target, place) = (pick(plans.targets), Lanes(Double.random(in: 0...9, using: &random)))
      return commit(at: at) { $0.add(.springTo("x", place), to: target) }
    }
    // Time begins with the scenario, and the first checkpoint is taken a second after a change.
    script = [
      (add(at: .random(in: 1.2...1.8, using: &random)), 1_200...1_800), (add(), 100...200), (add(), 100...200),
    ]
    return nextOfScript()
  }

  /// A show: a list of cues whose timeline a spring moves, or an input, and commands to it.
  private func show() -> Envelope.Body {
    let (target, list) = (pick(plans.targets), RandomPlans.cueLists[0])
    var cues = plans.cueList(&random)
    if random.chance(0.5) {
      cues.timeline = PropertyReference(target, "x")
      for index in cues.cues.indices { cues.cues[index].at = Double(index) + 0.5 }
    }
    func command() -> Envelope.Body {
      let steps: [CueStep] = [.go, .go, .go, .back, .goto("1"), .stop]
      return commit { $0.cue(list, pick(steps)) }
    }
    // One within a second, which passes each cue, and one that jumps.
    func move() -> Envelope.Body {
      let feel = SpringFeel.perceived(duration: .seconds(random.chance(0.7) ? 2 : 0.1))
      return commit { $0.add(.springTo("x", Lanes(.random(in: -3...6, using: &random)), feel), to: target) }
    }
    // By chance few checkpoints contain a cue that is to come.
    if random.chance(0.3) {
      cues.cues[0] = CueList.Cue(cues.cues[0].name, Transaction(), wait: 4, follow: nil, at: nil)
      script = [(commit { $0.load(cues, as: list) }, 5...300), (commit { $0.cue(list, .go) }, 1_200...2_000)]
      return nextOfScript()
    }
    script = [(commit { $0.load(cues, as: list) }, 5...300)]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: script.append((commit { $0.saveScene(RandomPlans.scenes[0], of: TargetSelector(target)) }, 5...300))
      case 1, 2: script.append((move(), 5...800))
      default: script.append((command(), 5...800))
      }
    }
    return nextOfScript()
  }

  /// A group, its spread plans and a scene, again and again, so that a start finds them in the checkpoint and after it.
  private func arrange() -> Envelope.Body {
    let (group, scene) = (RandomPlans.groups[0], RandomPlans.scenes[0])
    func spread() -> Envelope.Body {
      let place = Double.random(in: 0...100, using: &random)
      return commit {
        $0.add(
          .springTo("y", Lanes(place)), toEach: TargetSelector(group: group),
          spread: Spread(to: [.init("destination", .number(0))], stagger: random.chance(0.5) ? 3 : 0))
      }
    }
    script = [
      (commit { for target in plans.targets { $0.add(.springTo("x", 50), to: target) } }, 5...100),
      (commit { $0.group(group, "e.*") }, 5...100), (spread(), 5...300),
    ]
    for _ in 1...Int.random(in: 2...5, using: &random) {
      script.append((commit { $0.saveScene(scene, of: "e.*") }, 100...500))
      if random.chance(0.5) { script.append((spread(), 5...100)) }
    }
    if isAlone, random.chance(0.4) { script.append((.stop(StopRequest([])), 100...500)) }
    return nextOfScript()
  }

  /// Plans that are withdrawn once this explorer has been gone for long enough.
  private func depart() -> Envelope.Body {
    let target = pick(plans.targets)
    script = [(commit(whileConnected: true) { $0.add(.anchoredSpring("x", 9), to: target) }, 0...250)]
    return nextOfScript()
  }

  /// A step of so many frames that it is seldom at its end when something happens.
  private func step() -> Envelope.Body {
    let target = pick(plans.targets)
    script = [
      (commit { $0.add(.squashAndStretch(), to: target) }, 200...600), (.clock(.pause), 5...100),
      (.clock(.step(.random(in: 100...250, using: &random))), 0...250), (.clock(.resume), 0...250),
    ]
    return nextOfScript()
  }

  private func commit(
    at: Double? = nil, whileConnected: Bool = false, _ change: (inout Transaction) -> Void
  ) -> Envelope.Body {
    var transaction = Transaction()
    change(&transaction)
    return .commit(
      Commit(
        transaction, id: TransactionID(high: random.next() | 1, low: random.next()), at: at,
        whileConnected: whileConnected))
  }

  func nextOfScript() -> Envelope.Body {
    let next = script.removeFirst()
    scriptedPause = next.pause
    return next.body
  }
}
