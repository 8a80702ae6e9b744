import MotionFiles
import MotionModel
import MotionTestKit
import Testing

@Suite struct PluginManifestFileTests {
  private func read(_ text: String) throws(FileErrors) -> PluginManifest {
    try PluginManifestFile.manifest(from: Array(text.utf8), named: "plugin.json")
  }

  private func errors(_ text: String) -> [FileError] {
    do {
      _ = try read(text)
      return []
    } catch {
      return error.errors
    }
  }

  @Test func `every entry of a manifest is parsed`() throws {
    let manifest = try read(
      """
      {"name": "probe", "executable": "bin/probe", "arguments": ["-v"], "environment": ["HOME"],
       "libraries": ["/usr/lib/probe"],
       "protocol": {"min": 1, "max": 2}, "documentation": "Probes.", "wantsUpdates": false, "instances": 2,
       "onLost": "rest", "executors": [{"type": "Probe", "named": false}, {"type": "Other", "named": true}],
       "intentions": [
        {"type": "Probe", "kind": "one-shot", "executor": "Probe", "documentation": "For tests.", "writes": ["scale"],
         "reads": ["opacity"], "exclusive": [["to", "values"]], "requiresOneOf": [["to", "values"]], "fields": [
          {"name": "property", "accepts": ["property"], "required": true, "access": "writes", "documentation": "W."},
          {"name": "to", "accepts": ["number", "vector"], "range": [0, null], "exclusiveMinimum": true, "unit": "rad",
           "lanesOf": "property"},
          {"name": "values", "accepts": ["list"], "elements": ["number"], "default": [1, 2]},
          {"name": "mode", "accepts": ["enum"], "choices": ["a", "b"], "default": "b"},
          {"name": "length", "accepts": ["duration"], "default": "300ms"}]},
        {"type": "Hold", "kind": "standing", "executor": "Other"}]}
      """)
    let probe = IntentionDescription(
      type: "Probe", kind: .oneShot, executor: "Probe",
      fields: [
        FieldDescription("property", .property, required: true, access: .writes, "W."),
        FieldDescription(
          "to", .number, .vector, range: 0...Double.greatestFiniteMagnitude, excludesLowerBound: true, unit: "rad",
          lanesOf: "property", ""),
        FieldDescription("values", .list, default: .list([.number(1), .number(2)]), elements: [.number], ""),
        FieldDescription("mode", .choice, default: .choice("b"), choices: ["a", "b"], ""),
        FieldDescription("length", .duration, default: .duration(.milliseconds(300)), ""),
      ],
      writes: ["scale"], reads: ["opacity"], exclusive: [["to", "values"]], requiresOneOf: [["to", "values"]],
      documentation: "For tests.")
    let hold = IntentionDescription(type: "Hold", kind: .standing, executor: "Other", fields: [], documentation: "")
    var expected = PluginManifest(
      name: "probe", executable: "bin/probe", arguments: ["-v"], environment: ["HOME"], protocolVersions: 1...2,
      intentions: [probe, hold], unnamedOnly: ["Probe"], wantsUpdates: false, instances: 2, onLost: .rest,
      documentation: "Probes.")
    expected.libraries = ["/usr/lib/probe"]
    #expect(manifest == expected)
    #expect(try read(PluginManifestFile.text(of: manifest)) == manifest)
  }

  @Test func `built-in intentions are the same after writing and parsing`() throws {
    for description in BuiltInIntentions.all {
      let manifest = PluginManifest(name: "any", executable: "any", intentions: [description])
      let text = PluginManifestFile.text(of: manifest)
      #expect(try read(text) == manifest)
      #expect(PluginManifestFile.text(of: try read(text)) == text)
    }
  }

  @Test(arguments: [
    ("{}", "1:1: \"name\" is missing. Add \"name\"."),
    ("{\"nam\": \"a\"}", "1:2: there is no entry \"nam\" here. Did you mean \"name\"?"),
    ("{\"name\": \"A\"}", nil),
    ("[", "1:2: found the end of the text, expected a value"),
  ])
  func `errors of the whole manifest have their place`(_ text: String, _ message: String?) {
    let first = errors(text).first
    #expect(first != nil)
    if let message { #expect(first?.description == "plugin.json:\(message)") }
  }

  /// Each replaces or adds one entry of a valid manifest.
  @Test(arguments: [
    (
      "name", "\"A\"",
      "field \"name\": \"A\" is not a valid plugin name: use a-z or 0-9, then up to 63 of a-z 0-9 . _ -"
    ),
    ("executable", "\"/bin/sh\"", Self.outside), ("executable", "\"../sh\"", Self.outside),
    ("executable", "\"bin/../../sh\"", Self.outside), ("executable", "\"..\"", Self.outside),
    ("executable", "\"\"", Self.noPath), ("executable", "\"bin/\"", Self.noPath), ("executable", "\".\"", Self.noPath),
    ("executable", "\"a\\u0000b\"", Self.noPath),
    ("protocol", "0", "field \"protocol\": the number 0 is not accepted here. Use a whole number from 1 to 65535."),
    ("protocol", "{\"min\":2,\"max\":1}", "field \"protocol\": min is above max. Write the lower one first."),
    ("protocol", "1.5", "field \"protocol\": the number 1.5 is not accepted here. Use a whole number from 1 to 65535."),
    ("instances", "17", "field \"instances\": the number 17 is not accepted here. Use a whole number from 1 to 16."),
    ("onLost", "\"rst\"", "field \"onLost\": \"rst\" is no choice. Did you mean \"rest\"?"),
    ("wantsUpdates", "1", "field \"wantsUpdates\": the number 1 is not accepted here. Use true or false."),
    ("libraries", "[\"lib\"]", "field \"libraries\": \"lib\" is no folder of libraries. List absolute paths."),
    ("arguments", "[\"\\u0000\"]", "field \"arguments\": an argument holds a zero byte. Leave it out."),
    (
      "environment", "[\"MOTION_LINK\"]",
      "field \"environment\": \"MOTION_LINK\" cannot be passed on. "
        + "List names of variables; those that begin with MOTION_ are set anyway."
    ),
    (
      "environment", "[\"A=B\"]",
      "field \"environment\": \"A=B\" cannot be passed on. "
        + "List names of variables; those that begin with MOTION_ are set anyway."
    ),
    (
      "executors", "[{\"type\":\"Prob\"}]",
      "field \"type\": no intention here has the executor \"Prob\". Did you mean \"Probe\"?"
    ),
    ("intentions", "[]", "field \"intentions\": the plugin has no intentions. Describe an intention."),
    (
      "intentions", "[{\"type\":\"A\",\"kind\":\"oneshot\",\"executor\":\"A\"}]",
      "field \"kind\": \"oneshot\" is no choice. Did you mean \"one-shot\"?"
    ),
    (
      "intentions",
      "[{\"type\":\"A\",\"kind\":\"standing\",\"executor\":\"A\"},{\"type\":\"A\",\"kind\":\"standing\",\"executor\":\"A\"}]",
      "field \"type\": \"A\" is described twice. Describe it once."
    ),
  ])
  func `errors in an entry have their place and remedy`(_ entry: String, _ json: String, _ message: String) {
    var entries = [
      "name": "\"probe\"", "executable": "\"probe\"", "protocol": "1",
      "intentions": "[{\"type\":\"Probe\",\"kind\":\"standing\",\"executor\":\"Probe\"}]",
    ]
    entries[entry] = json
    let text = "{" + entries.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }.joined(separator: ",\n") + "}"
    let descriptions = errors(text).map { error in
      String(error.description.dropFirst("plugin.json:\(error.position): ".count))
    }
    #expect(descriptions == [message])
  }

  static let outside =
    "field \"executable\": the program lies outside the plugin's folder. "
    + "Use a path relative to the folder, without \"..\"."
  static let noPath =
    "field \"executable\": this is no path of a program. Use a path relative to the folder, without \"..\"."

  /// Each is the only field beside `property`, on the third line.
  @Test(arguments: [
    (
      "{\"name\":\"type\",\"accepts\":[\"text\"]}",
      "9: field \"name\": \"type\" cannot name a field. "
        + "Use a letter, then up to 63 of A-Z a-z 0-9 _ -, but not \"type\", \"priority\" or \"after\"."
    ),
    (
      "{\"name\":\"priority\",\"accepts\":[\"text\"]}",
      "9: field \"name\": \"priority\" cannot name a field. "
        + "Use a letter, then up to 63 of A-Z a-z 0-9 _ -, but not \"type\", \"priority\" or \"after\"."
    ),
    (
      "{\"name\":\"property\",\"accepts\":[\"text\"]}",
      "1: field \"name\": \"property\" is described twice. Describe it once."
    ),
    ("{\"name\":\"a\",\"accepts\":[\"txt\"]}", "24: field \"accepts\": \"txt\" is no choice. Did you mean \"text\"?"),
    (
      "{\"name\":\"a\",\"accepts\":[]}",
      "23: field \"accepts\": no shape is accepted. "
        + "Name some of number, vector, text, flag, duration, property, enum, list, reference."
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"number\"],\"range\":[1,0]}",
      "42: field \"range\": this is no range. "
        + "Write [least, most], with null where there is no bound."
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"number\"],\"range\":[0,1],\"default\":2}",
      "58: field \"default\": 2 is out of range. Use a number from 0 to 1."
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"duration\"],\"default\":\"2m\"}",
      "46: field \"default\": \"2m\" is no duration. "
        + "Write seconds, or a number and a unit: ns, us, ms, s, min or h, as in \"300ms\" or \"1.5s\"."
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"property\"]}",
      "1: field \"access\": the field does not state how it accesses the property. "
        + "Add \"access\": \"writes\", \"reads\" or \"names\"."
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"text\"],\"access\":\"reads\"}",
      "1: field \"access\": only property fields have an access. Leave \"access\" out."
    ),
    ("{\"name\":\"a\",\"accepts\":[\"enum\"]}", "1: field \"choices\": the field has no choices. Add \"choices\"."),
    (
      "{\"name\":\"a\",\"accepts\":[\"text\"],\"choices\":[\"b\"]}",
      "1: field \"choices\": only enum fields have choices. Add \"enum\" to \"accepts\"."
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"number\"],\"lanesOf\":\"propert\"}",
      "1: field \"lanesOf\": \"propert\" is no field here. Did you mean \"property\"?"
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"number\"]}], \"exclusive\": [[\"a\"]",
      "51: field \"exclusive\": a group of 1. Name at least two fields."
    ),
    (
      "{\"name\":\"a\",\"accepts\":[\"number\"]}], \"requiresOneOf\": [[\"a\", \"propertys\"]",
      "55: field \"requiresOneOf\": \"propertys\" is no field here. Did you mean \"property\"?"
    ),
  ])
  func `errors in a field have their place and remedy`(_ field: String, _ message: String) {
    let text =
      "{\"name\":\"p\",\"executable\":\"p\",\"protocol\":1,\"intentions\":[{\"type\":\"A\",\"kind\":\"standing\","
      + "\"executor\":\"A\",\n\"fields\":[{\"name\":\"property\",\"accepts\":[\"property\"],\"access\":\"reads\"},\n\(field)]}]}"
    #expect(errors(text).map(\.description) == ["plugin.json:3:\(message)"])
  }

  /// A valid manifest with random bytes changed, inserted and removed: a manifest or errors, never a trap.
  @Test func `a random manifest gives a manifest or errors, never a trap`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "PluginManifestFile"))
    var manifest = PluginManifest(
      name: "tween", executable: "tween", arguments: ["a"], environment: ["HOME"],
      intentions: [.probe], unnamedOnly: ["Probe"], onLost: .rest)
    manifest.libraries = ["/usr/lib/a"]
    let text = Array(PluginManifestFile.text(of: manifest).utf8)
    let alphabet = Array("{}[]\",:\\0123456789e-+./\n".utf8)
    var accepted = 0
    let rounds = SeededRandom.rounds(20_000)
    for _ in 0..<rounds {
      var bytes = text
      for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, alphabet, &random) }
      do {
        let read = try PluginManifestFile.manifest(from: bytes, named: "fuzz")
        accepted += 1
        let again = Array(PluginManifestFile.text(of: read).utf8)
        #expect(try PluginManifestFile.manifest(from: again, named: "again") == read)
      } catch {
        if error.errors.isEmpty { Issue.record("a refusal without an error") }
      }
    }
    #expect(
      accepted > rounds / 100 && accepted < rounds * 99 / 100, "\(accepted): neither everything nor nothing is valid")
  }

  @Test func `long lines of a manifest are broken`() {
    let manifest = PluginManifest(name: "tween", executable: "tween", intentions: [TweenIntention.description])
    let text = PluginManifestFile.text(of: manifest)
    #expect(text.hasPrefix("{\n  \"name\": \"tween\",\n  \"executable\": \"tween\",\n  \"protocol\": 1,\n"))
    #expect(text.contains("\"exclusive\": [[\"to\", \"values\"]],\n"))
  }
}
