import MotionModel

/// What an OSC executor needs of the world: time, and a way out.
///
/// A plan opens a line to its receiver, and says on it where its property is. The transport remembers what was said last
/// on each line, and says it again when the receiver was not there. None of these calls waits.
protocol OSCTransport: AnyObject {
  /// The present time.
  var now: OSCMoment { get }
  /// Opens a line to a receiver, and begins to look for it if it is called by a name.
  func open(to place: OSCPlace) -> OSCLine
  /// Closes a line: what was said on it is not sent again.
  func close(_ line: OSCLine)
  /// Forgets what was said on a line: it is not sent again, because it is not so any more.
  func forget(_ line: OSCLine)
  /// What is known of a receiver to which a line is open.
  func whereabouts(of place: OSCPlace) -> OSCWhereabouts
  /// When what was said on a line was last sent without having been sent again, in seconds; `nil` if never.
  func lastRepeat(on line: OSCLine) -> Double?
  /// Says something on lines to one receiver, at a time; together, as far as a packet holds it.
  func send(_ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment)
}

/// A receiver, as a plan calls it.
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
  /// Its number; later ones are larger, and none comes twice.
  let number: UInt64
  /// Where it leads.
  let place: OSCPlace
}

/// What is said on a line at a time.
struct OSCWords: Hashable, Sendable {
  let line: OSCLine
  /// The time that its bundle bears.
  let timeTag: SendOSCIntention.TimeTag
  /// What is said.
  let messages: [OSCMessage]
}

/// What is known of a receiver.
enum OSCWhereabouts: Hashable, Sendable {
  /// It is being looked for, and soon there will be an answer.
  case sought
  /// Nothing is to be awaited: it has an address, or it takes long to find one.
  case settled
  /// Nobody has its name, and why.
  case missing(String)
  /// The process has as many receivers as it can have (``UDPPost/mostReceivers``), and this is not one of them.
  case refused
}
