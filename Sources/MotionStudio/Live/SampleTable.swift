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

  /// All values as columns, in the same order: of N rows with L lanes in all the numbers N and L, then of each row frame
  /// and time, of each lane value and velocity, and of each row its subscription, its number of lanes, and how many values
  /// were left out. Each is 8 bytes of floating point, or 4 bytes of an integer, the least significant one first.
  ///
  /// - Parameter numbers: the subscriptions to a channel, each of which gets a row.
  mutating func takeColumns(_ numbers: (UInt32) -> [UInt32]) -> [UInt8] {
    let rows = order.flatMap { channel in
      waiting[channel].map { value in numbers(channel).map { (number: $0, value: value) } } ?? []
    }
    waiting.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    let lanes = rows.reduce(0) { $0 + $1.value.state.value.count }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + rows.count * 28 + lanes * 16)
    bytes.append(littleEndian: UInt32(rows.count))
    bytes.append(littleEndian: UInt32(lanes))
    for row in rows { bytes.append(littleEndian: Double(row.value.frame).bitPattern) }
    for row in rows { bytes.append(littleEndian: row.value.time.bitPattern) }
    for lanes in rows.map(\.value.state.value) + rows.map(\.value.state.velocity) {
      for lane in 0..<lanes.count { bytes.append(littleEndian: lanes[lane].bitPattern) }
    }
    for row in rows { bytes.append(littleEndian: row.number) }
    for row in rows { bytes.append(littleEndian: UInt32(row.value.state.value.count)) }
    for row in rows { bytes.append(littleEndian: UInt32(clamping: row.value.omitted)) }
    return bytes
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
