/// The scenes and the lists of cues. No frame depends on them, and snapshots have none.
package struct Show: Sendable {
  /// The scenes by name.
  package var scenes = SceneTable()
  /// The lists of cues by name.
  package var cues = CueTable()
}
