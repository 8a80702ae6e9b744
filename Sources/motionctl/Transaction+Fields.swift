import MotionFiles
import MotionModel

extension Transaction {
  /// The operations that add a plan to each target, with the checks of a transaction file. The places of the errors mean
  /// nothing, because there is no file.
  static func adding(
    _ type: IntentionType, _ fields: [FieldText.Argument], named name: IntentionName? = nil,
    to targets: [TargetSelector], spread: [FieldText.Argument] = [], knowing catalog: IntentionCatalog
  ) throws(FileErrors) -> Transaction {
    let members = fields.map { JSONOutput.Member(key: $0.name, value: $0.json) }
    let add = JSONOutput.object([.init(key: "type", value: .text(type.text))] + members)
    let named = name.map { [JSONOutput.Member(key: "named", value: .text($0.text))] } ?? []
    let operations = TargetSelector.operations(targets).map { target in
      JSONOutput.object(
        [.init(key: "add", value: add)] + named + [.init(key: "to", value: .text(target.text))]
          + spread.map { .init(key: $0.name, value: $0.json) })
    }
    let file: JSONOutput = ["transaction": .list(operations)]
    return try TransactionFile(Array(file.line.utf8), named: "the arguments", catalog: catalog).transaction
  }
}
