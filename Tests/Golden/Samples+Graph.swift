import MotionModel

extension Samples {
  /// The graphs of everything, of the target `odd`, and of any other.
  static func graph(of target: TargetName?) -> RuntimeGraph {
    target == nil ? graph : target == "odd" ? oddGraph : RuntimeGraph()
  }

  /// A graph with every kind of node and edge.
  static let graph = {
    var graph = RuntimeGraph()
    let ball = graph.add(.target(targets[0]))
    let position = graph.add(.property(properties[0]))
    let opacity = graph.add(.property(properties[1]))
    let physics = graph.add(.executor(executors[0]))
    let home = graph.add(.intention(intentions[0]))
    let tween = graph.add(.executor(executors[1]))
    let token = graph.add(.token(tokens[0]))
    let fade = graph.add(.intention(waitingFade))
    let source = graph.add(.source("frames()"))
    let toggled = graph.add(.operator("toggled(with: …)"))
    let (pan, active) = (graph.add(.source("pan\nof a hand")), graph.add(.operator("active()")))
    let panel = graph.add(.target(targets[1]))
    let reader = graph.add(.intention(output))
    let scale = graph.add(.property(properties[2]))
    for held in [position, opacity, physics, tween] { graph.connect(ball, .holds, held) }
    for (holder, held) in [(physics, home), (tween, token), (tween, fade), (panel, scale)] {
      graph.connect(holder, .holds, held)
    }
    graph.connect(physics, .drives, position)
    graph.connect(tween, .waits, position)
    graph.connect(tween, .drives, opacity)
    graph.connect(token, .moves, opacity)
    graph.connect(home, .writes, position)
    graph.connect(home, .emits, fade)
    graph.connect(scale, .reads, fade)
    graph.connect(position, .reads, reader)
    graph.connect(fade, .connects, source)
    graph.connect(source, .values, toggled)
    graph.connect(toggled, .writes, opacity)
    graph.connect(fade, .connects, pan)
    graph.connect(pan, .values, active)
    graph.connect(active, .argument, toggled)
    return graph
  }()

  /// A graph with a missing part, and with invalid content: quotes, control characters, a stream that is circular and
  /// leads nowhere.
  static let oddGraph = {
    var graph = RuntimeGraph()
    let ball = graph.add(.target(targets[0]))
    let tween = graph.add(.executor(executors[1]))
    let fade = graph.add(.intention(waitingFade))
    let calls = ["say(\"\\\u{1B}[2J\")", "a\r\n\"b\"\n\n", "<b>&amp;\u{202E}</b>"]
    let first = graph.add(.source(calls[0]))
    let (second, third) = (graph.add(.operator(calls[1])), graph.add(.operator(calls[2])))
    graph.connect(ball, .holds, tween)
    graph.connect(tween, .holds, fade)
    graph.connect(fade, .connects, first)
    graph.connect(first, .values, second)
    graph.connect(second, .values, third)
    graph.connect(third, .values, second)
    graph.remarks = ["osc.0 did not describe its streams within 0.5 seconds", "\u{1B}[31mred"]
    return graph
  }()

  private static let waitingFade = IntentionRow(
    identity: identity.child(0), target: "ball", name: nil,
    intention: Intention(
      "Tween", [.init("property", .property("opacity")), .init("easing", .text("ease\u{1B}[2J\nin"))]), kind: .oneShot,
    executor: "Tween", state: .waiting)

  private static let output = IntentionRow(
    identity: IntentionIdentity(sequence: 14, operation: 0), target: "room-3.wall:panel-117", name: "out",
    intention: Intention("SendOSC"), kind: .standing, executor: "OSC", state: .added)
}
