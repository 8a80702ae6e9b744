import MotionFiles
import MotionModel
import MotionTestKit
import Testing

/// Manifests that are mistyped, truncated, or invented.
struct PluginManifestMutationTests {
  private static let text = """
    {"name": "glide", "executable": "bin/glide", "protocol": {"min": 1, "max": 2}, "arguments": ["--fast", "é"],
     "environment": ["HOME"], "wantsUpdates": false, "instances": 3, "onLost": "rest",
     "limits": {"memoryMiB": 1024, "descriptors": 256, "processes": 64, "coreMiB": 0, "niceness": 5, "cpuWeight": 50},
     "executors": [{"type": "Glide", "named": false}],
     "intentions": [{"type": "Glide", "kind": "one-shot", "executor": "Glide", "documentation": "Glides.", "fields": [
       {"name": "to", "accepts": ["number"], "range": [0, null], "default": 1, "documentation": "Where."}]}]}
    """

  @Test func `limits are the same after writing and parsing`() throws {
    let manifest = try PluginManifestFile.manifest(from: Array(Self.text.utf8), named: "plugin.json")
    #expect(
      manifest.limits.description
        == "memoryMiB 1024, descriptors 256, processes 64, coreMiB 0, niceness 5, cpuWeight 50")
    let again = try PluginManifestFile.manifest(
      from: Array(PluginManifestFile.text(of: manifest).utf8), named: "plugin.json")
    #expect(again == manifest)
  }

  @Test(arguments: [
    ("\"memoryMiB\": 1024", "\"memoryMiB\": 1"), ("\"descriptors\": 256", "\"descriptors\": -1"),
    ("\"niceness\": 5", "\"niceness\": \"low\""), ("\"coreMiB\"", "\"core\""),
    ("\"cpuWeight\": 50", "\"cpuWeight\": 0"), ("\"cpuWeight\": 50", "\"cpuWeight\": 10001"),
  ])
  func `an invalid limit is refused with its place`(old: String, new: String) {
    let bytes = Array(Self.text.replacing(old, with: new).utf8)
    #expect { try PluginManifestFile.manifest(from: bytes, named: "plugin.json") } throws: { error in
      "\(error)".contains("plugin.json:3:")
    }
  }

  /// Bytes changed, left out, doubled and moved: the result is a manifest or an error, never a trap, and a manifest is
  /// written so that it reads the same.
  @Test func `a mutated manifest is parsed or refused, and parses to the same after writing`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "manifests"))
    let original = Array(Self.text.utf8)
    var read = 0
    for _ in 0..<10_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, using: &random) }
      guard let manifest = try? PluginManifestFile.manifest(from: bytes, named: "plugin.json") else { continue }
      read += 1
      let text = PluginManifestFile.text(of: manifest)
      #expect(try PluginManifestFile.manifest(from: Array(text.utf8), named: "plugin.json") == manifest)
      #expect(!manifest.executable.hasPrefix("/") && !manifest.executable.split(separator: "/").contains(".."))
    }
    // Some changes are harmless: 140 of 10,000 or so, by the seed more or fewer by a dozen.
    #expect(read > 50, "\(read)")
  }

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    guard bytes.count > 2 else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
    case 3:
      let words = ["/", "..", "\0", "9999999999999999999", "[", "}", "\u{1B}"]
      bytes.insert(contentsOf: Array((words.randomElement(using: &random) ?? "").utf8), at: place)
    default:
      bytes[place] = Array("\",-7".utf8).randomElement(using: &random) ?? 0
    }
  }
}
