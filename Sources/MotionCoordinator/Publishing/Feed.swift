import MotionModel
import MotionWire
import ZeroMQ

/// The state of one topic: what its subscribers have received, and what they receive next.
final class Feed {
  /// The bytes that were subscribed to: the topic and a zero byte.
  let subscription: [UInt8]
  let interest: Interest
  /// Its number in the ``RepeatSchedule``.
  let number: Int
  /// The number of its last message, from 1.
  var sequence: UInt64 = 0
  /// The last message that was published on it, and the offset of the send time in it.
  var last: (message: Message, sentOffset: Int)?

  /// The slots that changed in the present frame; a feed of everything takes them from the runtime.
  var slots: [UInt32] = []
  /// The properties that were removed since.
  var forgotten: [PropertyHandle] = []
  /// Whether it has something to publish for the present frame.
  var isTouched = false

  /// The properties that have to be named with the next message.
  private(set) var unnamed: [(slot: UInt32, handle: UInt32)] = []
  /// The last handle that existed when the last subscriber came; all earlier properties are named.
  private var subscribedHandle: UInt32 = 0
  /// How many properties had been removed when the last subscriber came.
  private var subscribedForgotten = 0

  init(_ topic: String, _ interest: Interest, number: Int) {
    (subscription, self.interest, self.number) = (Topic.subscription(topic), interest, number)
  }

  /// Records that all values of the topic were published: the last handle, and the number of removed properties.
  func saidEverything(upTo handle: UInt32, forgotten: Int) {
    (subscribedHandle, subscribedForgotten) = (handle, forgotten)
    unnamed.removeAll()
  }

  /// Records a new property of the topic.
  func note(made handle: UInt32, at slot: UInt32) {
    if handle > subscribedHandle { unnamed.append((slot, handle)) }
  }

  /// Records that a property of the topic was removed, the `ordinal`th of all.
  ///
  /// - Parameter known: the last handle that feeds were notified of.
  /// - Returns: whether it was ever named here; the removal of others is not published.
  func note(forgotten handle: PropertyHandle, _ ordinal: Int, known: UInt32) -> Bool {
    guard ordinal >= subscribedForgotten, handle.rawValue <= max(known, subscribedHandle) else { return false }
    if let index = unnamed.firstIndex(where: { $0.handle == handle.rawValue }) {
      unnamed.remove(at: index)
      return false
    }
    forgotten.append(handle)
    return true
  }

  /// Records that everything was published; memory is kept for the next frame.
  func clear() {
    slots.removeAll(keepingCapacity: true)
    forgotten.removeAll(keepingCapacity: true)
    unnamed.removeAll(keepingCapacity: true)
    isTouched = false
  }
}

extension Interest {
  /// The scope of the values; `nil` for events.
  var scope: Scope? {
    switch self {
    case .values(let scope), .motion(let scope): scope
    case .outcomes, .drivers: nil
    }
  }

  /// Whether velocities are wanted too.
  var hasVelocities: Bool { if case .motion = self { true } else { false } }
}
