import MotionClient
import MotionFiles
import MotionModel

/// Receipts for people: a line with the effect and its time, and one for each plugin that is not ready.
struct ReceiptText {
  /// The state of the plugins, if some were not ready.
  private let plugins: [PluginRow]
  private let style: Style
  /// When the daemon gave the receipt; `nil` from a daemon that does not send it.
  private let moment: Moment?

  /// Queries the state of the plugins if the receipt lists some that are not ready: the receipt lacks the reason.
  init(_ receipt: Receipt, _ client: MotionClient, _ style: Style) {
    self.style = style
    moment = client.moment
    // The receipt is valid without that answer, so a failure of this query is no failure of the commit.
    plugins = receipt.plugins.allSatisfy { $0.state == .ready } ? [] : (try? client.plugins()) ?? []
  }

  /// The lines of a receipt.
  func lines(_ receipt: Receipt, of transaction: Transaction, from name: String?) -> [String] {
    let when =
      if receipt.isRepeat {
        "committed before, nothing done now"
      } else if let nothing = Self.nothing(of: transaction, receipt) {
        nothing
      } else if let overdue = receipt.overdue {
        "due \(NumberText.fixed(overdue, digits: overdue < 1 ? 3 : 1)) s ago: applied now"
      } else if let at = receipt.at, receipt.frame == nil {
        "will be applied at \(NumberText.fixed(at, digits: 3)) s"
      } else if let frame = receipt.frame {
        "will be applied with frame \(frame)"
      } else {
        "accepted"
      }
    let now = moment.map { " (now \(NumberText.fixed($0.time, digits: 3)) s, \(WallTimeText.text($0.wallTime)))" } ?? ""
    let line =
      (name.map { "\($0): " } ?? "") + "transaction \(receipt.sequence), \(Self.operations(of: transaction)), \(when)"
      + Self.partlyNothing(of: transaction, receipt) + now
    return [line] + Self.cues(receipt) + Self.addressed(receipt, of: transaction) + Self.displaced(receipt)
      + Self.limited(receipt)
      + receipt.plugins.filter { $0.state != .ready }.map { "  " + remark(on: $0.plugin) }
  }

  /// A line for each list of cues, also of a repeated commit.
  private static func cues(_ receipt: Receipt) -> [String] {
    receipt.cues.map { row in
      let next = row.next.map { "next is \($0)" } ?? "it was the last"
      let due = row.position.due.map {
        ", \(row.position.waits ? "begins" : "goes on") at \(NumberText.fixed($0, digits: 3)) s"
      }
      return "  \(row.list): " + (row.current.map { "cue \($0)" } ?? "before the first cue") + (due ?? "") + "; " + next
    }
  }

  /// A line for each operation with a selector, up to a few.
  private static func addressed(_ receipt: Receipt, of transaction: Transaction) -> [String] {
    let inCues = receipt.addressed.filter { transaction.cueSteps[$0.operation] != nil }.reduce(0) { $0 + $1.targets }
    let cues = inCues > 0 ? ["  \(inCues == 1 ? "1 target" : "\(inCues) targets") for what the cue does"] : []
    let shown = receipt.addressed.prefix(mostShown).compactMap { entry -> String? in
      let scene = transaction.recalls[entry.operation].map { "scene \($0.scene)" }
      guard transaction.log.indices.contains(entry.operation) else { return nil }
      let patch = transaction.log[entry.operation].hasOpenPatch ? "the patterns of the patch" : nil
      return (transaction.selectors[entry.operation]?.text ?? scene ?? patch).map { what in
        let targets = entry.targets == 1 ? "1 target" : "\(entry.targets) targets"
        let place = transaction.log.count == 1 ? "" : "operation \(entry.operation): "
        return "  \(place)\(targets) for \(what)" + last(of: entry.targets, transaction.spreads[entry.operation])
      }
    }
    let patches = transaction.log.indices.count { transaction.selectors[$0] == nil && transaction.log[$0].hasOpenPatch }
    let others = transaction.selectors.count + transaction.recalls.count + patches - shown.count
    return cues + shown + (others > 0 ? ["  and \(others) others"] : [])
  }

  /// When the last of several targets begins that begin one after the other by their names.
  private static func last(of targets: Int, _ spread: Spread?) -> String {
    guard let spread, spread.stagger > 0, spread.by == nil, targets > 1 else { return "" }
    return
      ", the last \(JSONText.number((spread.stagger * Double(targets - 1) * 1e6).rounded() / 1e6)) s after the first"
  }

  /// A line for each one-shot that may not drive, up to a few.
  private static func displaced(_ receipt: Receipt) -> [String] {
    guard !receipt.isRepeat else { return [] }
    let shown = receipt.displaced.prefix(mostShown).map { loss in
      "  operation \(loss.operation)\(loss.target.map { " on \($0)" } ?? "") is displaced on \(loss.property): intention \(loss.by) (\(loss.type)"
        + "\(loss.name.map { " \"\($0)\"" } ?? "")) has the priority \(loss.priority)"
    }
    let others = receipt.displaced.count - shown.count
    return shown + (others > 0 ? ["  and \(others) others"] : [])
  }

  /// A line for each plan that limits will hold back, and for limits that are overrun at once, up to a few.
  private static func limited(_ receipt: Receipt) -> [String] {
    guard !receipt.isRepeat else { return [] }
    let shown = receipt.limited.prefix(mostShown).map { entry in
      let place = entry.target.map { "\($0)/\(entry.property)" } ?? entry.property.text
      if let overrun = entry.overrun {
        return "  operation \(entry.operation): \(place) is too fast to stop within its range, and goes "
          + "\(NumberText.lanes(overrun)) beyond"
      }
      let limits = entry.limits.map(\.rawValue).joined(separator: ", ")
      return "  operation \(entry.operation) will be held back by the limits of \(place): \(limits)"
    }
    let others = receipt.limited.count - shown.count
    return shown + (others > 0 ? ["  and \(others) others"] : [])
  }

  /// The displaced or limited plans that are shown: more would scroll the transaction off a screen.
  private static let mostShown = 10

  /// The effect that a file would have.
  static func plan(_ transaction: Transaction, from name: String) -> String {
    let scenes = Set(transaction.recalls.values.map { "scene \($0.scene)" }).sorted()
    let places = transaction.targets.map(\.text) + Set(transaction.selectors.values.map(\.text)).sorted() + scenes
    let selects = transaction.hasRequests
    let targets = places.count == 1 ? "1 target" : "\(places.count) targets"
    return "\(name): valid, \(operations(of: transaction)) on \(selects ? places.joined(separator: ", ") : targets)"
  }

  /// The text for a transaction that only removes or forgets, and had nothing to do; otherwise `nil`.
  private static func nothing(of transaction: Transaction, _ receipt: Receipt) -> String? {
    guard receipt.counts?.areZero == true, !transaction.log.isEmpty,
      !transaction.log.contains(where: \.mayBeUncounted)
    else { return nil }
    let forgets = transaction.log.allSatisfy { if case .forget = $0 { true } else { false } }
    return forgets ? "nothing to forget" : "nothing to remove"
  }

  /// The text for a transaction that only removes or forgets, if some of its operations have nothing to do; empty
  /// otherwise.
  private static func partlyNothing(of transaction: Transaction, _ receipt: Receipt) -> String {
    guard let counts = receipt.counts, !receipt.isRepeat else { return "" }
    func text(_ operations: Int, _ done: Int, _ verb: String) -> String {
      done < operations && !counts.areZero ? "; nothing to \(verb) in \(operations - done) of \(operations)" : ""
    }
    var (removals, forgets) = (0, 0)
    let addressed = Dictionary(receipt.addressed.map { ($0.operation, $0.targets) }) { $1 }
    // Of operations beyond those that a receipt counts, nothing can be said.
    guard addressed.count == transaction.selectors.count, transaction.recalls.isEmpty else { return "" }
    for (index, operation) in transaction.log.enumerated() {
      switch operation {
      case .remove, .removePlan: removals += addressed[index] ?? 1
      case .forget: forgets += addressed[index] ?? 1
      case .add, .limit, .group, .scene, .cues: return ""
      }
    }
    return text(removals, counts.removed, "remove") + text(forgets, counts.forgotten, "forget")
  }

  private static func operations(of transaction: Transaction) -> String {
    transaction.log.count == 1 ? "1 operation" : "\(transaction.log.count) operations"
  }

  /// The state of a plugin that was not ready, and its consequence for the plugin's plans.
  private func remark(on name: PluginName) -> String {
    let workers = plugins.first { $0.name == name }?.workers ?? []
    if let worker = workers.first(where: { $0.state == .quarantined }) {
      return "plugin \(name) is \(style.red("quarantined"))\(reason(of: worker)): "
        + "see motionctl status, then motionctl plugin restart \(name)"
    }
    if let worker = workers.first(where: { $0.state == .waiting }) {
      return "plugin \(name) \(style.yellow("failed"))\(reason(of: worker)) and is started again soon: "
        + "its plans begin when it is ready"
    }
    return "plugin \(name) is \(style.yellow("starting")): its plans begin when it is ready"
  }

  private func reason(of worker: WorkerRow) -> String {
    worker.reason.isEmpty ? "" : " (\(worker.reason))"
  }
}

extension Transaction.Operation {
  /// Whether the counts of a receipt leave out what it changes.
  fileprivate var mayBeUncounted: Bool {
    switch self {
    case .limit, .group, .scene, .cues: true
    case .add, .remove, .removePlan, .forget: false
    }
  }
}
