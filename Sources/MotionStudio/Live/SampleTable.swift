package import MotionModel
import MotionWire

/// The newest value of each channel that was not sent yet, and how many newer than the last one sent it replaced.
package struct SampleTable {
  /// A value that waits.
  package struct Sample: Hashable, Sendable {
    /// The channel.
    package var channel: UInt32
    /// The message.
    package var payload: [UInt8]
    /// When it was received: nanoseconds since 1970.
    package var wallTime: UInt64
  }

  private struct Waiting {
    var state: PropertyState
    var frame: UInt64
    var time: Double
    var wallTime: UInt64
    var omitted: UInt64
  }

  private var waiting: [UInt32: Waiting] = [:]
  private var order: [UInt32] = []

  /// No values.
  package init() {}

  /// Whether none waits.
  package var isEmpty: Bool { order.isEmpty }

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - time: the simulated time at the end of the frame.
  ///   - missed: values that were lost on their way here.
  package mutating func take(
    _ state: PropertyState, on channel: UInt32, frame: UInt64, time: Double, wallTime: UInt64, missed: UInt64 = 0
  ) {
    let former = waiting[channel]
    if former == nil { order.append(channel) }
    let omitted = former.map { $0.omitted &+ 1 } ?? 0
    waiting[channel] = Waiting(
      state: state, frame: frame, time: time, wallTime: wallTime, omitted: omitted &+ missed)
  }

  /// Drops what waits for a channel.
  package mutating func remove(_ channel: UInt32) {
    guard waiting.removeValue(forKey: channel) != nil else { return }
    order.removeAll { $0 == channel }
  }

  /// All values, in the order in which the channels were first due.
  package mutating func takeAll() -> [Sample] {
    defer {
      waiting.removeAll(keepingCapacity: true)
      order.removeAll(keepingCapacity: true)
    }
    return order.compactMap { channel in
      waiting[channel].map { value in
        Sample(
          channel: channel,
          payload: SampleMessage.property(
            value.state, frame: value.frame, time: value.time, omitted: value.omitted),
          wallTime: value.wallTime)
      }
    }
  }
}
