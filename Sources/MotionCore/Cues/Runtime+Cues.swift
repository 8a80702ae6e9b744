public import MotionModel

/// The lists of cues of a runtime.
extension Runtime {
  /// The lists of cues without their content, by name; or one with it.
  ///
  /// - Throws: the refusal of a name that no list has.
  public func cueRows(_ name: CueListName? = nil) throws(Refusal) -> [CueListRow] {
    guard let name else {
      return cues.names.compactMap { name in
        cues[name].map { CueListRow(name, $0.list, $0.position, hasContent: false) }
      }
    }
    guard let (list, position) = cues[name] else {
      var refusal = cues.missing(name)
      refusal.field = nil
      throw refusal
    }
    return [CueListRow(name, list, position)]
  }
}
