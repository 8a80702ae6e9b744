import MotionCore
import MotionExecutors
import MotionModel
import MotionPhysics
import MotionTestKit
import Testing

/// Every field of a tween, compared with the curve that it defines.
@Suite struct TweenFieldTests {
  /// The states of a tween at `times`, from the property's `start` on, each reached in one frame.
  private func states(
    of tween: TweenIntention, from start: PropertyState, at times: [Double]
  ) throws -> [PropertyState?] {
    try times.map { time in
      let host = RecordingExecutorHost(
        ExecutorDeclaration(TweenExecutor.self), properties: [tween.property: start])
      try host.add(tween.intention)
      host.advance(by: time)
      return host.state(of: tween.property)
    }
  }

  private func values(of tween: TweenIntention, from start: Lanes = 0, at times: [Double]) throws -> [Double?] {
    try states(of: tween, from: PropertyState(start), at: times).map { $0?.value[0] }
  }

  // Clauses: S13.1
  @Test func `a tween moves from the present value to its destination`() throws {
    let tween = TweenIntention("level", values: [20], duration: .seconds(1))
    #expect(try values(of: tween, from: 10, at: [0.25, 0.5, 1]) == [12.5, 15, 20])
  }

  // Clauses: S13.1
  @Test func fromOverridesThePresentValue() throws {
    let tween = TweenIntention("level", values: [20], from: 0, duration: .seconds(1))
    #expect(try values(of: tween, from: 10, at: [0.25, 0.5, 1]) == [5, 10, 20])
  }

  // Clauses: S13.1
  @Test func `a tween of several values starts at the first`() throws {
    let tween = TweenIntention("level", values: [4, 8, 0], duration: .seconds(1))
    #expect(try values(of: tween, from: 10, at: [0.25, 0.5, 0.75, 1]) == [6, 8, 4, 0])
  }

  @Test func fromPrecedesSeveralValues() throws {
    let tween = TweenIntention("level", values: [4, 8], from: 0, duration: .seconds(1))
    #expect(try values(of: tween, from: 10, at: [0.25, 0.5, 0.75, 1]) == [2, 4, 6, 8])
  }

  @Test func `points are passed at their offsets`() throws {
    let tween = TweenIntention("level", values: [0, 8, 0], offsets: [0, 0.25, 1], duration: .seconds(4))
    #expect(try values(of: tween, at: [0.5, 1, 2.5, 4]) == [4, 8, 4, 0])
  }

  @Test func `an easing shapes the whole tween`() throws {
    for text in [
      "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.3, -0.5, 0.1, 2)", "linear(0, 0.2 30%, 1)",
    ] {
      let timing = try TimingFunction(parsing: text)
      let tween = TweenIntention("level", values: [10], easing: [text], duration: .seconds(2))
      for state in zip([0.3, 0.9, 1.7], try states(of: tween, from: PropertyState(0), at: [0.3, 0.9, 1.7])) {
        let (time, state) = (state.0, try #require(state.1))
        #expect(abs(state.value[0] - 10 * timing.value(at: time / 2)) < 1e-12)
        #expect(abs(state.velocity[0] - 5 * timing.derivative(at: time / 2)) < 1e-12)
      }
    }
  }

  @Test func `several easings shape one segment each`() throws {
    let tween = TweenIntention(
      "level", values: [0, 8, 16], easing: ["steps(2, jump-end)", "linear"], duration: .seconds(2))
    #expect(try values(of: tween, at: [0.25, 0.75, 1.5, 2]) == [0, 4, 12, 16])
  }

  // Clauses: S13.5
  @Test func `a duration of zero jumps to the destination`() throws {
    let tween = TweenIntention("level", values: [7], duration: .zero)
    #expect(try states(of: tween, from: PropertyState(1, velocity: 3), at: [1e-3]) == [PropertyState(7)])
  }

  @Test func delayHoldsTheStartAtRest() throws {
    let tween = TweenIntention("level", values: [10], from: 2, duration: .seconds(1), delay: .seconds(1))
    #expect(
      try states(of: tween, from: PropertyState(5), at: [0.5, 1.5, 2]) == [
        PropertyState(2), PropertyState(6, velocity: 8), PropertyState(10),
      ])
  }

  @Test func `a repeated tween starts again from the beginning`() throws {
    let tween = TweenIntention("level", values: [8], duration: .seconds(1), repetition: .times(2.5))
    #expect(try values(of: tween, at: [0.25, 1.25, 2.25, 2.5, 9]) == [2, 2, 2, 4, 4])
  }

  // Clauses: S13.5
  @Test func `a tween that repeats forever never ends`() throws {
    let host = RecordingExecutorHost(ExecutorDeclaration(TweenExecutor.self), properties: ["level": PropertyState(0)])
    try host.add(TweenIntention("level", values: [8], duration: .seconds(1), repetition: .forever).intention)
    host.advance(by: 1_000_000.25)
    #expect(host.state(of: "level")?.value == 2)
    #expect(host.isActive && host.finished.isEmpty)
  }

  @Test func `autoreverse runs every second run backwards`() throws {
    let tween = TweenIntention("level", values: [8], duration: .seconds(1), repetition: .times(2), autoreverses: true)
    #expect(try values(of: tween, at: [0.25, 1.25, 2]) == [2, 6, 0])
    let back = try states(of: tween, from: PropertyState(0), at: [1.25])
    #expect(back[0]?.velocity == -8)
  }

  // Clauses: S13.3
  @Test func carryBlendsTheInheritedVelocityOut() throws {
    let start = PropertyState(0, velocity: 100)
    let carried = TweenIntention("level", values: [10], duration: .seconds(1))
    var dropped = carried
    dropped.carries = false
    let times = [1e-9, 0.3, 0.6, 1]
    let curve = try TweenCurve(
      keyframes: Keyframes(values: [.zero, SIMD4(10, 0, 0, 0)]), duration: 1,
      inheritedVelocity: SIMD4(100, 0, 0, 0))
    for (time, state) in zip(times, try states(of: carried, from: start, at: times)) {
      let sample = curve.sample(at: time == 1 ? 1 : time)
      #expect(state?.value[0] == sample.value.x && state?.velocity[0] == sample.velocity.x)
    }
    let first = try #require(try states(of: carried, from: start, at: [1e-9])[0])
    #expect(abs(first.velocity[0] - 100) < 1e-5)
    #expect(try states(of: dropped, from: start, at: [0.5]) == [PropertyState(5, velocity: 10)])
  }

  // Clauses: S13.2
  @Test func `the velocity is the derivative of the value`() throws {
    let tweens = [
      TweenIntention("level", values: [10], easing: ["ease"], duration: .seconds(1)),
      TweenIntention(
        "level", values: [3, 9, -4], offsets: [0, 0.3, 1], easing: ["ease-in-out"], duration: .seconds(1)),
      TweenIntention(
        "level", values: [10], easing: ["cubic-bezier(0.2, 0.9, 0.4, 1.4)"], duration: .milliseconds(400),
        repetition: .times(2), autoreverses: true),
    ]
    let h = 1e-6
    for tween in tweens {
      for time in [0.11, 0.27, 0.52, 0.79] {
        let states = try states(of: tween, from: PropertyState(1, velocity: 20), at: [time - h, time, time + h])
        let low = try #require(states[0]), middle = try #require(states[1]), high = try #require(states[2])
        let difference = (high.value[0] - low.value[0]) / (2 * h)
        #expect(abs(middle.velocity[0] - difference) < 1e-6 * max(1, abs(difference)))
      }
    }
  }

  @Test func `all lanes of a property move`() throws {
    let tween = TweenIntention("color", values: [[1, 0.5, 0.25, 1]], from: [0, 0, 0, 0], duration: .seconds(1))
    #expect(
      try states(of: tween, from: PropertyState([0, 0, 0, 1]), at: [0.5]) == [
        PropertyState([0.5, 0.25, 0.125, 0.5], velocity: [1, 0.5, 0.25, 1])
      ])
  }
}

/// Plans that are refused, with the place and the remedy, without an effect on a running tween.
@Suite struct TweenRefusalTests {
  private func refusal(of intention: Intention) throws -> Refusal? {
    let host = RecordingExecutorHost(ExecutorDeclaration(TweenExecutor.self))
    try host.add(.tween("level", to: 1))
    do {
      try host.add(intention)
    } catch let refusal as Refusal {
      #expect(host.finished.isEmpty)
      #expect(host.advance(by: 1, untilIdleWithin: 2) && host.state(of: "level") == PropertyState(1))
      return refusal
    }
    return nil
  }

  @Test func `an invalid easing is refused with its place and remedy`() throws {
    let refusal = try #require(
      try refusal(
        of: TweenIntention("level", values: [0, 1, 2], easing: ["linear", "cubic-bezier(2, 0, 0, 1)"]).intention))
    #expect(refusal.field == "easing")
    #expect(refusal.message.hasPrefix("easing 2 of 2: column 14:"))
    #expect(refusal.remedy == "Give a number from 0 to 1.")
    #expect(try self.refusal(of: .tween("level", to: 1, easing: "bouncy"))?.message.contains("bouncy") == true)
  }

  @Test func `offsets that do not increase from 0 to 1 are refused`() throws {
    for offsets in [[0, 0.5, 0.5], [0, 0.7, 0.5], [0.1, 0.5, 1], [0, 0.5, 0.9]] {
      let tween = TweenIntention("level", values: [0, 1, 2], offsets: offsets)
      #expect(try refusal(of: tween.intention)?.field == "offsets")
    }
  }

  @Test func `counts of offsets, easings or values that do not match are refused`() throws {
    #expect(
      try refusal(of: TweenIntention("level", values: [0, 1, 2], offsets: [0, 1]).intention)?.field == "offsets")
    #expect(
      try refusal(of: TweenIntention("level", values: [0, 1, 2], easing: ["linear", "ease", "linear"]).intention)?.field
        == "easing")
    #expect(try refusal(of: TweenIntention("level", values: []).intention)?.field == "values")
  }

  @Test func `values with another number of lanes are refused`() throws {
    let refusal = try #require(try refusal(of: .tween("level", to: [1, 2])))
    #expect(refusal.code == .lanes)
    #expect(try self.refusal(of: TweenIntention("level", values: [[1, 2], 3]).intention)?.code == .lanes)
  }

  @Test func `negative durations and delays and small repeats are refused`() throws {
    #expect(try refusal(of: .tween("level", to: 1, duration: .seconds(-1)))?.field == "duration")
    #expect(try refusal(of: .tween("level", to: 1, delay: .seconds(-1)))?.field == "delay")
    #expect(try refusal(of: .tween("level", to: 1, repetition: .times(0.5)))?.field == "repeat")
  }
}
