import MotionStreams
import Testing

struct MotionGraphTests {
  private let runtime = MotionRuntime()
  private let source = MotionSubject<Double>(Metadata("source"))
  private let ball = MotionTarget("ball")

  private func lines() -> [String] {
    let graph = runtime.graph()
    func name(_ id: Int) -> String { graph.nodes.first { $0.id == id }?.label ?? "?" }
    let arrows = [MotionGraph.Edge.Kind.values: "->", .argument: "..>", .writes: "=>"]
    return graph.edges.map { "\(name($0.from)) \(arrows[$0.kind] ?? "?") \(name($0.to))" }
  }

  // Clauses: S2.10
  @Test func `a call is one node, however many streams use it`() {
    let scaled = source.asStream().scaled(by: 2)
    runtime.write(scaled, to: propertyOf(ball).width)
    runtime.write(scaled.dedupe(), to: propertyOf(ball).width)
    #expect(runtime.graph().nodes.map(\.label) == ["source()", "scaled(by: 2.0)", "width of ball", "dedupe()"])
    #expect(runtime.graph().nodes.map(\.kind) == [.source, .operator, .property, .operator])
    #expect(
      lines() == [
        "source() -> scaled(by: 2.0)", "scaled(by: 2.0) => width of ball", "scaled(by: 2.0) -> dedupe()",
        "dedupe() => width of ball",
      ])
  }

  // Clauses: S2.10
  @Test func `equal calls on different streams are two nodes`() {
    for _ in 0..<2 { runtime.write(MotionSubject<Double>().asStream().dedupe(), to: ReactiveProperty(0.0)) }
    #expect(
      runtime.graph().nodes.map(\.label) == ["subject()", "dedupe()", "property", "subject()", "dedupe()", "property"])
  }

  // Clauses: S2.11
  @Test func `the graph contains arguments that are streams or properties`() {
    let spring = Spring(to: ReactiveProperty(1, named: "anchor"), initialValue: propertyOf(ball).width)
    let held = springSource(spring, ManualFrameClock()).toggled(with: source.asStream())
    runtime.write(anyOf([held.active(), source.asStream().atRest()]), to: ReactiveProperty(false, named: "isBusy"))
    runtime.write(held.offset(by: propertyOf(ball).height.asStream()), to: propertyOf(ball).width)
    let spoken = "spring(to: anchor, from: width of ball)"
    #expect(
      lines() == [
        "anchor ..> \(spoken)", "width of ball ..> \(spoken)", "\(spoken) -> toggled(with: …)",
        "source() ..> toggled(with: …)", "toggled(with: …) -> active()", "active() ..> anyOf(: …, …)",
        "source() -> atRest()", "atRest() ..> anyOf(: …, …)", "anyOf(: …, …) => isBusy",
        "toggled(with: …) -> offset(by: …)", "height of ball ..> offset(by: …)", "offset(by: …) => width of ball",
      ])
  }

  // Clauses: S2.11
  @Test func `the graph contains the streams of a dictionary`() {
    runtime.write(
      source.asStream().rewrite([1: propertyOf(ball).width.asStream(), 0: propertyOf(ball).height.asStream()]),
      to: propertyOf(ball).opacity)
    #expect(
      lines() == [
        "source() -> rewrite(: …)", "height of ball ..> rewrite(: …)", "width of ball ..> rewrite(: …)",
        "rewrite(: …) => opacity of ball",
      ])
  }

  // Clauses: S2.11
  @Test func `the graph contains children as long as they exist`() {
    var child: MotionRuntime? = runtime.createChild(named: "child")
    child?.write(source.asStream(), to: propertyOf(ball).width)
    #expect(lines() == ["source() => width of ball"])
    child = nil
    #expect(runtime.graph() == MotionGraph())
  }

  // Clauses: S2.8
  @Test func `the last connection names the written property and its owner`() {
    let connection = runtime.write(source.asStream().x2(), to: propertyOf(ball).width)
    #expect(connection.metadata.debugDescription == "source()\n  .x2()\n  .writeTo(width, of: ball)")
    #expect(connection.property == "width of ball")
    let nobodys = runtime.write(source.asStream(), to: ReactiveProperty(0, named: "share"))
    #expect(nobodys.metadata.debugDescription == "source()\n  .writeTo(share)")
  }

  // Clauses: S2.12
  @Test func `the graph is written as dot`() {
    let quoted = MotionSubject<Double>(Metadata("say(_:)", args: ["\"hi\" \\ there"]))
    runtime.write(source.asStream().merge(with: quoted.asStream()), to: propertyOf(ball).width)
    #expect(
      runtime.toGraphViz() == """
        digraph G {
          rankdir=LR;
          n0 [label="source()", shape=ellipse];
          n1 [label="merge(with: …)", shape=box];
          n2 [label="say(: \\"hi\\" \\\\ there)", shape=ellipse];
          n3 [label="width of ball", shape=note];
          n0 -> n1;
          n2 -> n1 [style=dashed];
          n1 -> n3 [style=bold];
        }

        """)
  }
}

struct GraphVizLabelTests {
  /// The label of a node as it is written.
  private func label(_ text: String) -> Substring {
    let graph = MotionGraph(nodes: [.init(id: 0, kind: .property, label: text)])
    let line = graph.graphViz.split(separator: "\n")[2]
    return line.dropFirst("  n0 [label=".count).dropLast(", shape=note];".count)
  }

  // Clauses: S2.12
  @Test(arguments: [
    ("plain", #""plain""#), ("", #""""#), ("say \"hi\"", #""say \"hi\"""#), (#"back\slash \N"#, #""back\\slash \\N""#),
    (#"ends in \"#, #""ends in \\""#), ("two\nlines", #""two\nlines""#), ("cr\r\nlf\rcr", #""cr\nlf\ncr""#),
    ("\n\n", #""\n\n""#), ("<b>bold</b>", #""<b>bold</b>""#), ("a &lt; b & c", #""a &amp;lt; b &amp; c""#),
    ("{a|b} [x];", #""{a|b} [x];""#), ("nul\u{0}bell\u{7}\t", "\"nul\u{2400}bell\u{2407}\u{2409}\""),
    ("\u{7F}\u{85}", "\"\u{2421}\u{FFFD}\""),
    ("q\"\u{301} b\\\u{301}", "\"q\\\"\u{301} b\\\\\u{301}\""), ("ünï → ∞ 🎈", #""ünï → ∞ 🎈""#),
  ])
  func `special characters in a label are escaped`(text: String, written: String) {
    #expect(label(text).unicodeScalars.elementsEqual(written.unicodeScalars), "\(label(text))")
  }

  @Test func `a label that is too long is cut`() {
    let longest = String(repeating: "&", count: MotionGraph.longestLabel)
    #expect(label(longest).utf8.count < 16384 && !label(longest).contains("…"))
    #expect(label(longest + "a") == label(longest).dropLast() + "…\"")
  }

  // Clauses: S2.12
  @Test func `a label of any characters ends only at its end`() {
    let pieces: [Unicode.Scalar] = ["\"", "\\", "\n", "\r", "&", "<", "a", "\u{301}", "\u{200D}", "]", ";", "\u{0}"]
    for a in pieces {
      for b in pieces {
        for c in pieces {
          var text = String.UnicodeScalarView()
          text += [a, b, c]
          let scalars = Array(label(String(text)).unicodeScalars)
          var isEscape = false
          var ends: [Int] = []
          for (index, scalar) in scalars.enumerated().dropFirst() {
            if !isEscape, scalar == "\"" { ends.append(index) }
            isEscape = !isEscape && scalar == "\\"
            #expect(scalar.value >= 0x20)
          }
          #expect(ends == [scalars.count - 1], "\(scalars)")
        }
      }
    }
  }
}

extension MotionObservable where Value == Double {
  fileprivate func x2() -> MotionObservable<Double> { _map(metadata.with("x2()")) { $0 * 2 } }
}
