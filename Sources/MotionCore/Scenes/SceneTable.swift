package import MotionModel

/// The scenes by name.
///
/// No frame depends on them: a recall is resolved into plans when its transaction is accepted. So they take effect as soon
/// as the transaction that saves them is kept, and are no part of snapshots.
package struct SceneTable: Sendable {
  private var scenes: [SceneName: RuntimeCheckpoint.StoredScene] = [:]
  /// The values and plans of all scenes together.
  private(set) var entries = 0
  private var lastNumber: UInt64 = 0

  /// No scenes.
  package init() {}

  var count: Int { scenes.count }

  /// A scene; `nil` if there is none of that name.
  package subscript(name: SceneName) -> Scene? { scenes[name]?.scene }

  /// The names of the scenes, in natural order.
  package var names: [SceneName] { scenes.keys.sorted { $0.isListedBefore($1) } }

  /// The scenes as checkpoints contain them, in the order in which they were saved.
  package var stored: [RuntimeCheckpoint.StoredScene] { scenes.values.sorted { $0.number < $1.number } }

  /// Sets a scene; one without targets is gone.
  package mutating func set(_ name: SceneName, _ scene: Scene) {
    entries += scene.entries - (scenes[name]?.scene.entries ?? 0)
    lastNumber += 1
    scenes[name] = scene.isEmpty ? nil : .init(name, scene, number: lastNumber)
  }

  /// Replaces all scenes by those of a checkpoint.
  package mutating func replace(by stored: [RuntimeCheckpoint.StoredScene]) {
    scenes = [:]
    for entry in stored { scenes[entry.name] = entry }
    entries = scenes.values.reduce(0) { $0 + $1.scene.entries }
    lastNumber = stored.map(\.number).max() ?? 0
  }

  /// Refuses more than a runtime may have.
  func check() throws(Refusal) {
    guard count <= Limits.scenes else {
      throw Refusal(
        .limit, field: "scene", "there would be \(count) scenes, more than the limit of \(Limits.scenes)",
        remedy: "Delete scenes that are no longer needed.")
    }
    guard entries <= Limits.sceneEntries else {
      throw Refusal(
        .limit, field: "scene",
        "all scenes together would have \(entries) values and plans, more than the limit of \(Limits.sceneEntries)",
        remedy: "Delete scenes that are no longer needed, or name the targets of the scene.")
    }
  }

  func missing(_ name: SceneName) -> Refusal {
    Refusal(
      .notFound, field: "recall", "there is no scene \"\(name)\"",
      remedy: NearestName.remedy(for: name.text, among: names.map(\.text), plural: "scenes"))
  }
}

/// The scenes and lists of cues that a transaction changes, and which scenes there would be with them.
struct SceneChanges {
  private(set) var byName: [SceneName: Scene] = [:]
  /// The changes of lists of cues, with the indices of their operations.
  private(set) var cues: [(operation: Int, name: CueListName, change: CueChange)] = []
  /// All scenes after these changes; `nil` before the first.
  private var table: SceneTable?

  /// Whether nothing is changed.
  var isEmpty: Bool { byName.isEmpty && cues.isEmpty }

  /// Changes a list of cues.
  ///
  /// - Throws: the refusal of a second change.
  mutating func set(_ name: CueListName, _ change: CueChange, by operation: Int) throws(Refusal) {
    guard !cues.contains(where: { $0.name == name }) else {
      throw Refusal(
        .value, field: "cue", "a transaction changes the cue list \"\(name)\" twice",
        remedy: "Commit each change by itself.")
    }
    cues.append((operation, name, change))
  }

  /// Sets a scene.
  ///
  /// - Throws: the refusal of more than a runtime may have.
  mutating func set(_ name: SceneName, _ scene: Scene, in present: SceneTable) throws(Refusal) {
    byName[name] = scene
    var after = table ?? present
    table = nil
    after.set(name, scene)
    if !scene.isEmpty { try after.check() }
    table = after
  }
}
