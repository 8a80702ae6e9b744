import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// The options that are common to the commands that commit a transaction made of their arguments.
struct SingleCommitOptions: ParsableArguments {
  @OptionGroup var present: PresentCommitOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("When to apply it, in simulated time: 12.5s, or +2s from now.", valueName: "time"),
    transform: parsedCommitTime)
  var at: CommitTime?

  var connection: ConnectionOptions { present.connection }
  var reading: ReadingOptions { present.reading }

  /// Commits a transaction and prints its receipt.
  func commit(_ transaction: Transaction, _ client: MotionClient) throws(Failure) {
    try present.commit(transaction, client, at: at)
  }
}

/// The options of commands that commit a transaction for the next frame: scenes, and commands to lists of cues.
struct PresentCommitOptions: ParsableArguments {
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The reason, stored with the transaction: at most 256 bytes.", valueName: "text"),
    transform: parsedComment)
  var comment = ""

  /// Commits a transaction and prints its receipt.
  ///
  /// - Parameters:
  ///   - given: the id, if it is not to be a new one.
  ///   - at: when it is applied; with the next frame without one.
  func commit(
    _ transaction: Transaction, _ client: MotionClient, id given: TransactionID? = nil, at: CommitTime? = nil
  ) throws(Failure) {
    let console = Console()
    let id = given ?? .random()
    var receipt = try failing { () throws(MotionClientError) in
      do throws(MotionClientError) {
        return try client.commit(transaction, id: id, at: try at?.seconds(on: client), comment: comment)
      } catch {
        // With a single operation its number is redundant.
        var error = error
        if transaction.log.count == 1 { error.refusal?.operation = nil }
        throw error
      }
    }
    // The id is new: a repeat is the client's own, which resends a commit that is not answered in time.
    if given == nil { receipt.isRepeat = false }
    if reading.json {
      console.print(JSONOutput(receipt, of: id, from: nil, at: client.moment).line)
    } else {
      let text = ReceiptText(receipt, client, console.outputStyle)
      console.print(text.lines(receipt, of: transaction, from: nil))
    }
  }
}

extension CommitTime {
  /// The time in simulated seconds since the runtime's start. For a relative time the daemon's present time is queried.
  func seconds(on client: MotionClient) throws(MotionClientError) -> Double {
    seconds(from: isRelative ? try client.status().clock.time : 0)
  }
}

/// Reads `--comment`.
func parsedComment(_ text: String) throws -> String {
  guard text.utf8.count <= Limits.commentBytes else {
    throw ValidationError("the comment has \(text.utf8.count) bytes; write at most \(Limits.commentBytes)")
  }
  return text
}

/// Reads a duration that is not below 0.
func parsedDelay(_ text: String) throws -> Duration {
  guard let duration = DurationText.duration(of: text), duration >= .zero else {
    throw ValidationError("write a duration, such as 100ms or 2s")
  }
  return duration
}

/// Reads `--by`.
func parsedOrder(_ text: String) throws -> SpreadOrder {
  do {
    return try SpreadOrder(text)
  } catch {
    throw ValidationError(error.description)
  }
}

/// Reads `--at`.
func parsedCommitTime(_ text: String) throws -> CommitTime {
  guard let time = CommitTime(text) else {
    throw ValidationError(
      "write simulated seconds or a duration, such as 12.5, 90s or 2min, or +2s from now; at most 100 years")
  }
  return time
}
