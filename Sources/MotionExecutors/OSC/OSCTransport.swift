import MotionModel

/// The interface of an OSC executor to the outside: the time, and sending.
///
/// A plan opens a line to its receiver and sends the values of its property on it. The transport stores the last
/// messages of each line, and resends them when the receiver was unreachable, and after a while without others. None of these calls blocks.
protocol OSCTransport: AnyObject {
  /// The present time.
  var now: OSCMoment { get }
  /// Opens a line to a receiver, and starts a lookup if the host is a name.
  ///
  /// - Parameter keepAlive: the seconds without a message after which the last ones are resent; `nil` for never.
  func open(to place: OSCPlace, keepAlive: Double?) -> OSCLine
  /// Closes a line: its messages are not resent.
  func close(_ line: OSCLine)
  /// Discards a line's messages: they are no longer valid and are not resent.
  func forget(_ line: OSCLine)
  /// The state of a receiver to which a line is open.
  func whereabouts(of place: OSCPlace) -> OSCWhereabouts
  /// The last time at which a line's messages were resent, in seconds; `nil` if never.
  func lastRepeat(on line: OSCLine) -> Double?
  /// Sends messages on lines to one receiver, at a time; together, as far as a packet holds them.
  func send(_ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment)
}

/// A receiver, as a plan names it.
struct OSCPlace: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address, or a name.
  let host: String
  /// The UDP port.
  let port: UInt16

  /// `mixer.local:9000`, `[::1]:9000`.
  var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A plan's connection to its receiver.
struct OSCLine: Hashable, Sendable {
  /// The line's number; later ones are larger, and none is reused.
  let number: UInt64
  /// The receiver.
  let place: OSCPlace
}

/// The messages of a line at a time.
struct OSCWords: Hashable, Sendable {
  let line: OSCLine
  /// The time tag of the bundle.
  let timeTag: SendOSCIntention.TimeTag
  /// The messages.
  let messages: [OSCMessage]
}

/// The state of a receiver's address.
enum OSCWhereabouts: Hashable, Sendable {
  /// The lookup is under way, and an answer is expected soon.
  case sought
  /// There is nothing to wait for: the address is known, or the lookup takes long.
  case settled
  /// No host has this name; the reason.
  case missing(String)
  /// The process has as many receivers as it can have (``UDPPost/mostReceivers``), and this is not one of them.
  case refused
}
