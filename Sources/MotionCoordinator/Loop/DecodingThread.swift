import ZeroMQ

/// Decodes messages on a thread of its own, one after the other, so that no frame waits for a large one.
///
/// A message comes with what its decoder has to know of it, and comes out as whatever that makes of both.
final class DecodingThread<Note: Sendable, Decoded: Sendable> {
  /// Unchecked, because the message was given away by whoever posted it: the thread alone touches it, and releases it.
  private struct Letter: @unchecked Sendable {
    let message: Message
    let note: Note
  }

  /// What the thread gets to do.
  private enum Work: Sendable {
    case decode(Letter)
    case letGo(any Sendable)
    case end
  }

  /// What the thread does.
  private struct Body: TurnTaking {
    let letters: LetterBox<Work>
    let results: LetterBox<Decoded>
    let decode: @Sendable (Message, Note) -> Decoded

    func turn(waits: Bool) -> Bool {
      if waits { letters.wait() }
      for work in letters.take() {
        switch work {
        case .decode(let letter): results.post(decode(letter.message, letter.note))
        case .letGo: break
        case .end: return false
        }
      }
      return true
    }
  }

  private let letters: LetterBox<Work>
  private let results: LetterBox<Decoded>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: what the system calls it.
  ///   - machine: who runs it.
  init(
    _ name: StaticString, on machine: any Machine, _ decode: @escaping @Sendable (Message, Note) -> Decoded
  ) throws {
    letters = try LetterBox()
    results = try LetterBox()
    _ = machine.start(name) { [letters, results] in Body(letters: letters, results: results, decode: decode) }
  }

  deinit { letters.post(.end) }

  /// The descriptor that becomes readable when something was decoded.
  var descriptor: Int32 { results.descriptor }

  /// Gives a message away to be decoded.
  func decode(_ message: consuming Message, _ note: Note) {
    letters.post(.decode(Letter(message: message, note: note)))
  }

  /// Lets go of what takes long to let go of where no frame waits for it.
  func letGo(_ spent: some Sendable) { letters.post(.letGo(spent)) }

  /// Takes out what was decoded since the last call, in order.
  func take() -> [Decoded] { results.take() }
}
