import MotionCore
import MotionFiles
import MotionModel

/// Transaction files: what is wrong with them is said, and what is right reads back from what is written.
enum Transactions {
  static func run(_ bytes: [UInt8], _ registry: ExecutorRegistry) throws {
    try runCues(bytes, registry)
    let file: TransactionFile
    do throws(FileErrors) {
      file = try TransactionFile(bytes, named: "show.json", catalog: registry.catalog)
    } catch {
      return try Told.check(error)
    }
    let runtime = Runtime(registry: registry)
    do throws(Refusal) {
      _ = try runtime.commit(file.transaction, at: file.at?.seconds(from: runtime.frame.time))
    } catch {
      try Told.check(error)
      let place = TransactionFile.error(for: error, in: bytes, named: "show.json")
      return try require(place?.description.isEmpty != true, "a refusal says nothing of its place")
    }
    do {
      let text = file.encoded()
      let again = try TransactionFile(Array(text.utf8), named: "show.json", catalog: registry.catalog)
      try require(again == file, "\(file) is written so that it is read as \(again)")
    } catch let error as FileErrors {
      throw FuzzFinding("\(file) is written so that it is refused: \(error)")
    }
    try World.run(runtime, frames: 4)
    try World.checkpoint(runtime)
  }

  /// Lists of cues: likewise.
  private static func runCues(_ bytes: [UInt8], _ registry: ExecutorRegistry) throws {
    let file: CueListFile
    do throws(FileErrors) {
      file = try CueListFile(bytes, named: "show.json", catalog: registry.catalog)
    } catch {
      return try Told.check(error)
    }
    do {
      let again = try CueListFile(Array(file.encoded().utf8), named: "show.json", catalog: registry.catalog)
      try require(again == file, "\(file) is written so that it is read as \(again)")
    } catch let error as FileErrors {
      throw FuzzFinding("\(file) is written so that it is refused: \(error)")
    }
    let runtime = Runtime(registry: registry)
    var load = Transaction()
    load.load(file.list, as: file.name)
    do throws(Refusal) {
      _ = try runtime.commit(load)
    } catch {
      return try Told.check(error)
    }
    for step in [CueStep.go, .go, .back, .goto(file.list.cues[0].name), .stop] {
      var command = Transaction()
      command.cue(file.name, step)
      do throws(Refusal) {
        _ = try runtime.commit(command)
      } catch {
        try Told.check(error)
      }
    }
    try World.run(runtime, frames: 4)
    try World.checkpoint(runtime)
  }
}
