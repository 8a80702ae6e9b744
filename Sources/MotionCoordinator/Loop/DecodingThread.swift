import LinuxSystem
import ZeroMQ

/// Decodes messages on a thread of its own, one after the other, so that no frame waits for a large one.
///
/// A message is posted with a note for its decoder, and comes out as the decoder's result.
final class DecodingThread<Note: Sendable, Decoded: Sendable> {
  /// Unchecked, because the sender has given the message away: the thread alone uses it, and releases it.
  private struct Job: @unchecked Sendable {
    let message: Message
    let note: Note
  }

  /// A work item of the thread.
  private enum Work: Sendable {
    case decode(Job)
    case letGo(any Sendable)
    case end
  }

  /// The work of the thread.
  private struct Body: TurnTaking {
    let mailbox: Mailbox<Work>
    let results: Mailbox<Decoded>
    let decode: @Sendable (Message, Note) -> Decoded

    func turn(waits: Bool) -> Bool {
      if waits { mailbox.wait() }
      for work in mailbox.take() {
        switch work {
        case .decode(let job): results.post(decode(job.message, job.note))
        case .letGo: break
        case .end: return false
        }
      }
      return true
    }
  }

  private let mailbox: Mailbox<Work>
  private let results: Mailbox<Decoded>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the name of the thread in the system.
  ///   - machine: runs the thread.
  init(
    _ name: StaticString, on machine: any Machine, _ decode: @escaping @Sendable (Message, Note) -> Decoded
  ) throws {
    mailbox = try Mailbox()
    results = try Mailbox()
    _ = machine.start(name) { [mailbox, results] in Body(mailbox: mailbox, results: results, decode: decode) }
  }

  deinit { mailbox.post(.end) }

  /// The descriptor that becomes readable when something was decoded.
  var descriptor: Int32 { results.descriptor }

  /// Posts a message to be decoded.
  func decode(_ message: consuming Message, _ note: Note) {
    mailbox.post(.decode(Job(message: message, note: note)))
  }

  /// Releases an object, whose release takes long, on a thread where no frame waits for it.
  func letGo(_ spent: some Sendable) { mailbox.post(.letGo(spent)) }

  /// Takes out what was decoded since the last call, in order.
  func take() -> [Decoded] { results.take() }
}
