import MotionModel

extension Generator {
  mutating func commit(id: TransactionID) -> Commit {
    var commit = Commit(
      request(), id: id, at: optional { $0.double() }, whileConnected: flag(), comment: flag() ? short(text()) : "")
    commit.client = short(text())
    commit.onBehalfOf = optional { $0.committer() }
    return commit
  }

  mutating func receipt() -> Receipt {
    var receipt = Receipt(
      sequence: number(), frame: optional { $0.number() }, at: optional { $0.double() }, isRepeat: flag(),
      plugins: list { PluginReadiness($0.name(), $0.pick(PluginReadiness.State.allCases)) })
    receipt.overdue = optional { $0.double() }
    receipt.counts = optional { Receipt.Counts(added: $0.count(), removed: $0.count(), forgotten: $0.count()) }
    receipt.displaced = list {
      Receipt.Displaced(
        operation: $0.count(), property: $0.name(), by: $0.identity(), type: $0.name(), name: $0.optional { $0.name() },
        priority: $0.priority())
    }
    for index in receipt.displaced.indices where flag() { receipt.displaced[index].target = name() }
    receipt.cues = list(3) { $0.cueRow() }
    receipt.addressed = list(3) { .init(operation: $0.count(), targets: $0.count()) }
    // Seldom, so that mutated messages are not nearly always refused.
    if flag() {
      receipt.limited = list { generator in
        Receipt.Limited(
          operation: generator.count(), property: generator.name(),
          limits: LimitKind.allCases.filter { _ in generator.flag() },
          overrun: generator.optional { $0.state().value })
      }
      for index in receipt.limited.indices where flag() { receipt.limited[index].target = name() }
    }
    return receipt
  }

  mutating func stop() -> StopRequest {
    var stop = StopRequest(list { $0.name() }, outputs: flag(), ramp: flag())
    if int(0...4) == 0, let selector = try? TargetSelector(pick(["lamp*", "@front", "lamp{1..12},spot"])) {
      stop = StopRequest(each: selector, outputs: flag(), ramp: flag())
    }
    stop.by = optional { $0.committer() }
    return stop
  }

  mutating func committer() -> Committer {
    Committer(
      name: short(text()), user: optional { $0.short() }, process: optional { Int32(truncatingIfNeeded: $0.word()) },
      key: short(text()))
  }

  mutating func provenance() -> Provenance {
    Provenance(
      committer(), onBehalfOf: optional { $0.committer() }, wallTime: Int64(bitPattern: word()),
      comment: short(text()))
  }

  /// As much of a text as names of clients may have.
  private func short(_ text: String) -> String {
    var text = text
    while text.utf8.count > Limits.clientNameBytes { text.removeLast() }
    return text
  }
}
