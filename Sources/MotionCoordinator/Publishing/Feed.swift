import MotionModel
import MotionWire
import ZeroMQ

/// What the subscribers of one topic have heard, and what they are about to hear.
final class Feed {
  /// The bytes that were subscribed to: the topic and a zero byte.
  let subscription: [UInt8]
  let interest: Interest
  /// Its number in the ``RepeatSchedule``.
  let number: Int
  /// The number of its last message, from 1.
  var sequence: UInt64 = 0
  /// The last message that was said on it, and where in it stands when it was sent.
  var last: (message: Message, sentOffset: Int)?

  /// The slots that changed in the present frame; those of everything have them from the runtime.
  var slots: [UInt32] = []
  /// The properties that are no more since.
  var forgotten: [PropertyHandle] = []
  /// Whether it has something to say of the present frame.
  var isTouched = false

  /// The properties that are to be named with what is said next.
  private(set) var unnamed: [(slot: UInt32, handle: UInt32)] = []
  /// When the last subscriber came, the last handle that was given; all properties that there were are named.
  private var subscribedHandle: UInt32 = 0
  /// When the last subscriber came, how many properties had been forgotten.
  private var subscribedForgotten = 0

  init(_ topic: String, _ interest: Interest, number: Int) {
    (subscription, self.interest, self.number) = (Topic.subscription(topic), interest, number)
  }

  /// All there is on the topic is said: the last handle that was given, and how many properties are forgotten.
  func saidEverything(upTo handle: UInt32, forgotten: Int) {
    (subscribedHandle, subscribedForgotten) = (handle, forgotten)
    unnamed.removeAll()
  }

  /// Notes a property of the topic that was made.
  func note(made handle: UInt32, at slot: UInt32) {
    if handle > subscribedHandle { unnamed.append((slot, handle)) }
  }

  /// Notes that a property of the topic is no more, the `ordinal`th of all.
  ///
  /// - Parameter known: the last handle that feeds were told of.
  /// - Returns: whether it was ever named here; nothing is said of others.
  func note(forgotten handle: PropertyHandle, _ ordinal: Int, known: UInt32) -> Bool {
    guard ordinal >= subscribedForgotten, handle.rawValue <= max(known, subscribedHandle) else { return false }
    if let index = unnamed.firstIndex(where: { $0.handle == handle.rawValue }) {
      unnamed.remove(at: index)
      return false
    }
    forgotten.append(handle)
    return true
  }

  /// Takes note that all was said; room is kept for the next frame.
  func clear() {
    slots.removeAll(keepingCapacity: true)
    forgotten.removeAll(keepingCapacity: true)
    unnamed.removeAll(keepingCapacity: true)
    isTouched = false
  }
}

extension Interest {
  /// Which properties' values it is about; `nil` for what happens.
  var scope: Scope? {
    switch self {
    case .values(let scope), .motion(let scope): scope
    case .outcomes, .drivers: nil
    }
  }

  /// Whether velocities are wanted too.
  var hasVelocities: Bool { if case .motion = self { true } else { false } }
}
