import MotionModel
import MotionTestKit
import Testing

@Suite struct BuiltInIntentionTests {
  /// Writes the typed form, checks it against its description, and reads it back.
  private func expectRoundTrip<Form: BuiltInIntention>(_ form: Form, fields: [String]) throws {
    let intention = form.intention
    #expect(intention.type == Form.description.type)
    #expect(intention.fields.map(\.name) == fields)
    try Form.description.check(intention)
    #expect(try Form(intention) == form)
  }

  @Test func `defaults are left out and restored`() throws {
    try expectRoundTrip(SpringToIntention("position", [100, 50]), fields: ["property", "destination"])
    try expectRoundTrip(AnchoredSpringIntention("opacity", 0), fields: ["property", "destination"])
    try expectRoundTrip(FrictionIntention("position", coefficient: 3), fields: ["property", "coefficient"])
    try expectRoundTrip(
      ConstantForceIntention("position", acceleration: [0, 9.8]), fields: ["property", "acceleration"])
    try expectRoundTrip(MoveToIntention("position", [100, 50]), fields: ["property", "destination"])
    try expectRoundTrip(FollowIntention("x", "fader"), fields: ["property", "input"])
    try expectRoundTrip(TweenIntention("opacity", values: [1]), fields: ["property", "to"])
    try expectRoundTrip(DraggableIntention(), fields: [])
    try expectRoundTrip(PinchableIntention(), fields: [])
    try expectRoundTrip(RotatableIntention(), fields: [])
    try expectRoundTrip(SendOSCIntention(PropertyReference("ball", "position")), fields: ["property"])
    try expectRoundTrip(SquashAndStretchIntention(), fields: [])
    try expectRoundTrip(
      SquashAndStretchIntention(strength: 2, of: "tip", scale: "size", rotation: "lean"),
      fields: ["strength", "of", "scale", "rotation"])
  }

  @Test func `fields that are not defaults are kept`() throws {
    try expectRoundTrip(
      SpringToIntention(
        "position", [1, 2], .physical(tension: 500, friction: 0, mass: 2), threshold: 3, initialVelocity: [4, 5]),
      fields: ["property", "destination", "tension", "friction", "mass", "threshold", "initialVelocity"])
    try expectRoundTrip(
      AnchoredSpringIntention("scale", 2, .perceived(duration: .milliseconds(250), bounce: -0.2)),
      fields: ["property", "destination", "duration", "bounce"])
    try expectRoundTrip(
      TweenIntention(
        "position", values: [[1, 2], [3, 4]], from: [0, 0], offsets: [0, 0.2, 1], easing: ["ease", "steps(2, end)"],
        duration: .seconds(2), delay: .milliseconds(5), repetition: .forever, autoreverses: true, carries: false),
      fields: [
        "property", "values", "from", "offsets", "easing", "duration", "delay", "repeat", "autoreverse", "carry",
      ])
    try expectRoundTrip(
      DraggableIntention("knob", axis: .x, perimeter: [0, 0, 10, 20], maxLength: 1, slop: 0),
      fields: ["property", "axis", "perimeter", "maxLength", "slop"])
    try expectRoundTrip(
      MoveToIntention(
        "pan", 90, finalVelocity: 3, limits: MotionLimits(maxVelocity: 120, maxAcceleration: 400, maxJerk: 2000),
        minimumDuration: .seconds(2), arrivesTogether: true),
      fields: [
        "property", "destination", "finalVelocity", "maxVelocity", "maxAcceleration", "maxJerk", "duration",
        "arriveTogether",
      ])
    try expectRoundTrip(
      FollowIntention(
        "pan", "fader.1", .spring(.physical(tension: 100, friction: 20, mass: 2)), scale: 2, offset: 3, threshold: 0.1),
      fields: ["property", "input", "tension", "friction", "mass", "scale", "offset", "threshold"])
    try expectRoundTrip(
      FollowIntention("position", "tracker", .smoothing(.milliseconds(50)), offset: [1, 2]),
      fields: ["property", "input", "mode", "timeConstant", "offset"])
    try expectRoundTrip(FollowIntention("x", "fader", .direct), fields: ["property", "input", "mode"])
    try expectRoundTrip(PinchableIntention("zoom"), fields: ["property"])
    try expectRoundTrip(RotatableIntention("angle"), fields: ["property"])
    try expectRoundTrip(
      SendOSCIntention(
        PropertyReference("ball", "position"), address: "/1/xy", host: "mixer.local", port: 57_120, rate: 25,
        sendsVelocity: true, timeTag: .immediate),
      fields: ["property", "address", "host", "port", "rate", "velocity", "timeTag"])
  }

  @Test func `transactions have short forms for built-in intentions`() throws {
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50]), to: "ball")
    transaction.add(.tween("opacity", from: 0, to: 1, duration: .milliseconds(300)), to: "ball")
    transaction.add(.draggable(), named: "drag", to: "ball")
    transaction.add(.anchoredSpring("position", [0, 0]), to: "ball")
    transaction.add(.friction("position", coefficient: 2), to: "ball")
    transaction.add(.constantForce("position", acceleration: [0, 9.8]), to: "ball")
    transaction.add(.pinchable(), to: "ball")
    transaction.add(.rotatable(), to: "ball")
    transaction.add(.tween("opacity", values: [0, 1, 0], repetition: .forever), to: "ball")
    transaction.add(PinchableIntention(), named: "pinch", to: "ball")
    let catalog = try IntentionCatalog.builtIn()
    for case .add(let intention, let name, _) in transaction.log {
      try catalog.check(intention, isNamed: name != nil)
    }
    #expect(transaction.log.count == 10)
  }

  // Clauses: S9.14
  @Test func `default thresholds depend on the property`() throws {
    #expect(SpringToIntention("position", [0, 0]).threshold == 1)
    #expect(SpringToIntention("opacity", 0).threshold == 0.01)
    #expect(SpringToIntention("scale", [1, 1]).threshold == 0.01)
    #expect(SpringToIntention("color", [0, 0, 0, 1]).threshold == 0.01)
    #expect(SpringToIntention("backgroundColor", [0, 0, 0, 1]).threshold == 0.01)
    #expect(SpringToIntention("master", 1).threshold == 0.01 && SpringToIntention("shutter", 1).threshold == 0.01)
    #expect(SpringToIntention("width", 1).threshold == 1 && SpringToIntention("mine", 1).threshold == 1)
    #expect(try SpringToIntention(.springTo("rotation", 0)).threshold == 0.01)
    #expect(try SpringToIntention(.springTo("rotation", 0, threshold: 1)).threshold == 1)
  }

  @Test func `a spring with only a bounce has the default duration`() throws {
    var intention = Intention.springTo("opacity", 0)
    intention["bounce"] = .number(0.3)
    #expect(try SpringToIntention(intention).spring == .perceived(duration: .milliseconds(500), bounce: 0.3))
  }

  @Test func `a tween's points include its start`() {
    let one = TweenIntention("opacity", values: [1])
    #expect(one.startsAtPresent && one.pointCount == 2 && one.points(from: 0.5) == [0.5, 1])
    let several = TweenIntention("opacity", values: [1, 0])
    #expect(!several.startsAtPresent && several.pointCount == 2 && several.points(from: 0.5) == [1, 0])
    let from = TweenIntention("opacity", values: [1, 0], from: 0.2)
    #expect(!from.startsAtPresent && from.pointCount == 3 && from.points(from: 0.5) == [0.2, 1, 0])
  }

  @Test(arguments: [
    (TweenIntention("x", values: []), "values"), (TweenIntention("x", values: [1, [1, 2]]), "values"),
    (TweenIntention("x", values: [1], from: [1, 2]), "from"),
    (TweenIntention("x", values: [1], offsets: [0, 0.5, 1]), "offsets"),
    (TweenIntention("x", values: [1, 2], offsets: [1, 0]), "offsets"),
    (TweenIntention("x", values: [1, 2, 3], offsets: [0, 0.5, 0.5]), "offsets"),
    (TweenIntention("x", values: [1, 2, 3], offsets: [0, 0.7, 0.5]), "offsets"),
    (TweenIntention("x", values: [1, 2], offsets: [0.1, 1]), "offsets"),
    (TweenIntention("x", values: [1, 2], offsets: [0, 0.9]), "offsets"),
    (TweenIntention("x", values: [1, 2, 3], easing: ["ease", "ease", "ease"]), "easing"),
    (TweenIntention("x", values: [1, 2, 3], easing: []), "easing"),
  ])
  func `lists that do not match are refused with the field`(_ tween: TweenIntention, _ field: String) throws {
    let refusal = try #require(throws: Refusal.self) { try TweenIntention(tween.intention) }
    #expect(refusal.field == field)
    #expect(!refusal.remedy.isEmpty)
    #expect(throws: refusal) { try IntentionCatalog.builtIn().check(tween.intention) }
  }

  @Test func `other types and wrong rectangles are refused`() throws {
    #expect(throws: Refusal.self) { try TweenIntention(.draggable()) }
    for perimeter: Lanes in [[0, 0, 1], [0, 0, -1, 1]] {
      let refusal = try #require(throws: Refusal.self) { try DraggableIntention(.draggable(perimeter: perimeter)) }
      #expect(refusal.field == "perimeter")
      #expect(throws: refusal) { try IntentionCatalog.builtIn().check(.draggable(perimeter: perimeter)) }
    }
  }

  @Test func `built-in intentions are described consistently`() throws {
    #expect(BuiltInIntentions.inProcess.allSatisfy { ["Physics", "Move", "Follow", "Wave"].contains($0.executor) })
    for description in BuiltInIntentions.all {
      #expect(!description.documentation.isEmpty)
      #expect(Set(description.fields.map(\.name)).count == description.fields.count)
      for field in description.fields {
        #expect(!field.documentation.isEmpty)
        if let value = field.defaultValue { try field.check(value) }
        if let owner = field.lanesOf { #expect(description.field(owner)?.accepts == [.property]) }
        #expect((field.access != nil) == field.accepts.contains(.property))
      }
      for name in (description.exclusive + description.requiresOneOf).joined() {
        #expect(description.field(name) != nil)
      }
    }
  }
}
