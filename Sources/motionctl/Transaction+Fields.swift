import MotionFiles
import MotionModel

extension Transaction {
  /// The operations that add a plan to each target, with the checks of a transaction file. The places of the errors mean
  /// nothing, because there is no file.
  static func adding(
    _ type: IntentionType, _ fields: [FieldText.Argument], to targets: [TargetName], knowing catalog: IntentionCatalog
  ) throws(FileErrors) -> Transaction {
    let members = fields.map { JSONOutput.Member(key: $0.name, value: $0.json) }
    let add = JSONOutput.object([.init(key: "type", value: .text(type.text))] + members)
    let file: JSONOutput = ["transaction": .list(targets.map { ["add": add, "to": .text($0.text)] })]
    return try TransactionFile(Array(file.line.utf8), named: "the arguments", catalog: catalog).transaction
  }
}
