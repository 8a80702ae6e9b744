import MotionCore
import MotionFiles
import MotionModel

/// A file with the limits of a rig, which motiond commits itself: at its start, and again when the file has changed.
struct RigFile {
  private let path: String
  private let transaction: Transaction

  /// Reads a file.
  ///
  /// - Throws: ``StartError`` with the place of the first mistake.
  init(_ path: String) throws {
    self.path = path
    let bytes = try TrustedFile.bytes(of: path, option: "--rig", limit: Limits.transactionFileBytes)
    let file: TransactionFile
    do {
      file = try TransactionFile(bytes, named: path, catalog: IntentionCatalog(), isRig: true)
    } catch {
      let text = error.description
      throw StartError("read the rig", String(text.hasSuffix(".") ? text.dropLast() : text[...]), remedy: Self.remedy)
    }
    guard file.at == nil, !file.whileConnected, file.id == nil else {
      throw Self.error(path, "it has \"at\", \"whileConnected\" or \"id\"")
    }
    var limited: Set<PropertyReference> = []
    for case .limit(let property, let target, _) in file.transaction.log {
      let reference = PropertyReference(target, property)
      guard limited.insert(reference).inserted else { throw Self.error(path, "it limits \(reference) twice") }
    }
    transaction = file.transaction
  }

  private static func error(_ path: String, _ problem: String) -> StartError {
    StartError("read the rig \(path)", problem, remedy: remedy)
  }

  private static let remedy =
    "Give --rig a transaction file that consists of limits (docs/limits.md), or start without it"

  /// The commit of the limits that are not in effect; `nil` if all are.
  func commit(in runtime: Runtime) -> Commit? {
    let waiting = runtime.waitingLimits
    let missing = transaction.log.filter { operation in
      guard case .limit(let property, let target, let setting) = operation else { return false }
      return !runtime.hasLimits(setting, of: PropertyReference(target, property), after: waiting)
    }
    guard !missing.isEmpty else { return nil }
    let comment = path.utf8.count <= Limits.commentBytes ? path : ""
    var commit = Commit(Transaction(log: missing), id: .random(), comment: comment)
    commit.client = "rig file"
    return commit
  }
}
