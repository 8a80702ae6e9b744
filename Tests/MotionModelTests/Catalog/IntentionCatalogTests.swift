import MotionModel
import MotionTestKit
import Testing

@Suite struct IntentionCatalogTests {
  private func description(_ type: IntentionType, _ executor: ExecutorType = "A") -> IntentionDescription {
    IntentionDescription(type: type, kind: .oneShot, executor: executor, fields: [], documentation: "")
  }

  // Clauses: S8.21
  @Test func `the second claimant of a type is refused with both names`() throws {
    var catalog = IntentionCatalog()
    try catalog.add(description("Fade"), from: .plugin("one"))
    let refusal = #expect(throws: Refusal.self) { try catalog.add(description("Fade"), from: .plugin("two")) }
    #expect(
      refusal?.description
        == "plugin \"two\" declares intention type \"Fade\", which plugin \"one\" already declares. "
        + "Remove one of them, or configure which plugin is preferred for \"Fade\".")
    #expect(catalog["Fade"]?.provider == .plugin("one"))
    #expect(throws: Never.self) { try catalog.add(description("Fade"), from: .plugin("one")) }
    #expect(throws: Refusal.self) { try catalog.add(description("Fade"), from: .inProcess) }
  }

  // Clauses: S8.21
  @Test func aPreferenceDecidesInAnyOrder() throws {
    for order: [PluginName] in [["one", "two", "three"], ["two", "three", "one"], ["three", "one", "two"]] {
      var catalog = IntentionCatalog(preferences: ["Fade": "two"])
      for name in order { try catalog.add(description("Fade"), from: .plugin(name)) }
      #expect(catalog["Fade"]?.provider == .plugin("two"))
    }
  }

  @Test func anExecutorTypeBelongsToOneProvider() throws {
    var catalog = IntentionCatalog()
    try catalog.add(description("Fade", "Shared"), from: .plugin("one"))
    try catalog.add(description("Show", "Shared"), from: .plugin("one"))
    let refusal = #expect(throws: Refusal.self) {
      try catalog.add(description("Wipe", "Shared"), from: .plugin("two"))
    }
    #expect(
      refusal?.message == "plugin \"two\" declares executor type \"Shared\", which plugin \"one\" already declares")
  }

  // Clauses: S8.31
  @Test func `manipulations do not share an executor with other kinds`() throws {
    func description(_ type: IntentionType, _ kind: IntentionKind) -> IntentionDescription {
      IntentionDescription(type: type, kind: kind, executor: "Hand", fields: [], documentation: "")
    }
    var catalog = IntentionCatalog()
    try catalog.add(description("Drag", .manipulation), from: .inProcess)
    try catalog.add(description("Pinch", .manipulation), from: .inProcess)
    let refusal = #expect(throws: Refusal.self) { try catalog.add(description("Hold", .standing), from: .inProcess) }
    #expect(
      refusal?.description
        == "executor type \"Hand\" would fulfil \"Hold\" (standing) and \"Drag\" (manipulation), and manipulations "
        + "share an executor with manipulations only. Give one of them an executor type of its own.")
    #expect(catalog["Hold"] == nil)
  }

  // Clauses: S8.37
  @Test func anOutputThatWritesAPropertyIsRefused() throws {
    let fields = [FieldDescription("property", .property, access: .writes, "What it would write.")]
    for (writes, fields) in [(["x"], []), ([], fields)] as [([PropertyName], [FieldDescription])] {
      var catalog = IntentionCatalog()
      let description = IntentionDescription(
        type: "Print", kind: .output, executor: "Printer", fields: fields, writes: writes, documentation: "")
      let refusal = #expect(throws: Refusal.self) { try catalog.add(description, from: .plugin("printer")) }
      #expect(refusal?.message.hasPrefix("\"Print\" is an output and writes ") == true)
      #expect(catalog["Print"] == nil)
    }
    #expect(SendOSCIntention.description.kind == .output)
  }

  @Test func `a manifest is added wholly or not at all`() throws {
    var catalog = IntentionCatalog()
    try catalog.add(description("Fade", "B"), from: .inProcess)
    let manifest = PluginManifest(
      name: "one", executable: "one", intentions: [description("Show"), description("Fade")], unnamedOnly: ["A"])
    #expect(throws: Refusal.self) { try catalog.add(manifest) }
    #expect(catalog.entries.map(\.description.type) == ["Fade"])
    catalog.remove(.inProcess)
    try catalog.add(manifest)
    #expect(catalog.entries.map(\.description.type) == ["Fade", "Show"])
    #expect(catalog["Show"]?.acceptsNames == false)
  }

  @Test func `easings are checked for existence`() throws {
    var catalog = IntentionCatalog { easings throws(Refusal) in
      if easings != ["ease"] { throw Refusal(.value, field: "easing", "no \(easings)", remedy: "Use ease.") }
    }
    try catalog.add(TweenIntention.description, from: .plugin("tween"))
    #expect(throws: Never.self) { try catalog.check(.tween("x", to: 1, easing: "ease")) }
    let refusal = #expect(throws: Refusal.self) { try catalog.check(.tween("x", to: 1, easing: "bouncy")) }
    #expect(refusal?.field == "easing")
  }

  @Test func `a type of the same name without the field is not checked as the built-in one`() throws {
    var catalog = IntentionCatalog()
    var tween = TweenIntention.description
    tween.fields.removeAll { $0.name == "carry" }
    try catalog.add(tween, from: .plugin("other"))
    #expect(throws: Never.self) { try catalog.check(TweenIntention("x", values: [1, 2], offsets: [1, 0]).intention) }
  }

  // Clauses: S8.26
  @Test func `types, fields and names are checked`() throws {
    var catalog = try IntentionCatalog.builtIn()
    try catalog.add(description("Plain", "Plain"), from: .plugin("plain"), acceptsNames: false)
    func refusal(_ intention: Intention, named: Bool = false) -> String? {
      #expect(throws: Refusal.self) { try catalog.check(intention, isNamed: named) }?.description
    }
    #expect(refusal(Intention("Twen")) == "there is no intention type \"Twen\". Did you mean \"Tween\"?")
    #expect(refusal(Intention("Q"))?.hasPrefix("there is no intention type \"Q\". Known types: AnchoredSpring") == true)
    #expect(refusal(Intention("Tween"))?.hasPrefix("field \"property\": Tween requires this field") == true)
    #expect(
      refusal(Intention("Plain"), named: true)
        == "the executor of Plain takes no named intentions. Add it without a name.")
    #expect(try catalog.check(Intention("Plain")).provider == .plugin("plain"))
  }

  // Clauses: S7.26
  @Test(
    arguments: [
      ("Draggable", ["position", "translation"]), ("Tossable", ["position", "translation"]),
      ("Pinchable", ["cornerRadius", "height", "scale", "width"]), ("Rotatable", ["rotation"]),
      ("SetPositionOnTap", ["position"]),
    ] as [(IntentionType, [String])])
  func `a manipulation accepts the properties for its movement, and unknown ones`(
    type: IntentionType, fitting: [String]
  ) throws {
    let catalog = try IntentionCatalog.builtIn()
    func refusal(_ property: PropertyName) -> Refusal? {
      var intention = Intention(type, [.init("property", .property(property))])
      if type == "Tossable" {
        let lanes = KnownProperty.named(property).lanes.upperBound
        intention["destination"] = lanes == 1 ? .number(0) : .vector(Lanes(.zero, count: lanes))
      }
      do throws(Refusal) { try catalog.check(intention) } catch { return error }
      return nil
    }
    #expect(KnownProperty.known.keys.filter { refusal(PropertyName(stringLiteral: $0)) == nil }.sorted() == fitting)
    #expect(refusal("knob") == nil)
    let color = try #require(refusal("color"))
    #expect(color.code == .value && color.field == "property")
    #expect(color.description.hasSuffix("or a property of your own."), "\(color)")
  }

  @Test func `known properties have their known lanes`() throws {
    let catalog = try IntentionCatalog.builtIn()
    for intention: Intention in [
      .springTo("position", [1, 2, 3]), .springTo("opacity", [1, 2]), .tween("color", to: 1),
      .springTo("scale", [1, 2, 3]),
    ] {
      let refusal = #expect(throws: Refusal.self) { try catalog.check(intention) }
      #expect(refusal?.code == .lanes && refusal?.field != nil)
    }
    for intention: Intention in [.springTo("position", [1, 2]), .springTo("scale", 2), .springTo("mine", [1, 2, 3])] {
      #expect(throws: Never.self) { try catalog.check(intention) }
    }
  }
}
