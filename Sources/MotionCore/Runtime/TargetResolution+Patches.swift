import MotionModel

// Patches of lamps with patterns and groups, which are replaced by the names that they stand for.
extension TargetResolution {
  /// The patches of a transaction that have patterns or groups, by the indices of the operations.
  static func patches(of request: Transaction) -> [Int: DMXPatchSelectors] {
    guard request.hasOpenPatches else { return [:] }
    var patches: [Int: DMXPatchSelectors] = [:]
    for (index, operation) in request.log.enumerated() {
      guard case .add(let intention, _, _) = operation, let patch = DMXPatchSelectors(intention) else { continue }
      patches[index] = patch
    }
    return patches
  }

  /// All selectors of a transaction, also of its patches.
  static func selectors(of request: Transaction, _ patches: [Int: DMXPatchSelectors]) -> [TargetSelector] {
    Array(request.selectors.values) + patches.values.flatMap { $0.parts.map(\.selector) }
  }

  /// Looks for the targets of the next part of a patch.
  func advance(_ patch: DMXPatchSelectors, _ left: inout Int) throws(Refusal) {
    guard case .add(let intention, let name, let target) = request.log[next] else { return }
    let part = patch.parts[patching.names.count]
    var search = self.search ?? Search(for: request.log[next], upTo: Int(runtime.plans.last.target))
    self.search = nil
    guard search.term == part.selector.terms.count else {
      let term = search.term
      do throws(Refusal) {
        try look(for: part.selector.terms[term], &search, &left)
      } catch {
        throw part.placed(error)
      }
      // Parts stay in the order in which they are written; of a pattern or a group, the order is natural.
      if search.term > term {
        while let name = search.names.popFirst()?.name { patching.part.append(name) }
      }
      self.search = search
      return
    }
    var known: Set<TargetName> = []
    let names = patching.part.filter { known.insert($0).inserted }
    patching.part = []
    left -= max(1, names.count)
    guard !names.isEmpty || part.isMaster else {
      throw part.refusal(.notFound, "no target matches", "List the targets: motionctl list targets. Or write names.")
    }
    patching.names.append(names)
    guard patching.names.count == patch.parts.count else { return }
    let resolved = try patch.resolve(intention, to: patching.names)
    patching.operation = .add(resolved.plan, named: name, to: target)
    if request.selectors[next] == nil { note(addressed: resolved.fixtures) }
    patching.names = []
  }
}
