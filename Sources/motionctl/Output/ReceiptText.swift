import MotionModel

/// Receipts for people: a line that says what will happen when, and one for each plugin that is not ready.
enum ReceiptText {
  /// The lines of a receipt.
  static func lines(_ receipt: Receipt, of transaction: Transaction, from name: String?, _ style: Style) -> [String] {
    let when =
      if receipt.isRepeat {
        "committed before, nothing done now"
      } else if let at = receipt.at, receipt.frame == nil {
        "applied at \(NumberText.fixed(at, digits: 3)) s"
      } else if let frame = receipt.frame {
        "applied with frame \(frame)"
      } else {
        "accepted"
      }
    let line =
      (name.map { "\($0): " } ?? "") + "transaction \(receipt.sequence), \(operations(of: transaction)), \(when)"
    return [line] + receipt.plugins.filter { $0.state != .ready }.map { remark(on: $0, style) }
  }

  /// What a file would do.
  static func plan(_ transaction: Transaction, from name: String) -> String {
    let targets = transaction.targets
    return
      "\(name): valid, \(operations(of: transaction)) on \(targets.count == 1 ? "1 target" : "\(targets.count) targets")"
  }

  private static func operations(of transaction: Transaction) -> String {
    transaction.log.count == 1 ? "1 operation" : "\(transaction.log.count) operations"
  }

  private static func remark(on plugin: PluginReadiness, _ style: Style) -> String {
    switch plugin.state {
    case .ready: "  plugin \(plugin.plugin) is ready"
    case .starting: "  plugin \(plugin.plugin) is \(style.yellow("starting")): its plans begin when it is ready"
    case .quarantined:
      "  plugin \(plugin.plugin) is \(style.red("quarantined")): see motionctl status, then motionctl plugin restart \(plugin.plugin)"
    }
  }
}

extension JSONOutput {
  /// A receipt, with the file that was committed, if it was one.
  init(_ receipt: Receipt, of id: TransactionID, from name: String?) {
    self = [
      "file": .text(name), "id": .text(id.description), "sequence": .unsigned(receipt.sequence),
      "frame": receipt.frame.map { .unsigned($0) } ?? .null, "at": receipt.at.map { .number($0) } ?? .null,
      "repeat": .flag(receipt.isRepeat),
      "plugins": .list(
        receipt.plugins.map { ["plugin": .text($0.plugin.text), "state": .text($0.state.rawValue)] }),
    ]
  }
}
