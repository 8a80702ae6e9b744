import MotionModel

/// What an OSC executor needs of the world: time, and a way out.
protocol OSCTransport: AnyObject {
  /// The present time.
  var now: OSCMoment { get }
  /// Finds out where packets for a host go.
  ///
  /// - Throws: `Refusal` with a remedy if there is no such host.
  func destination(host: String, port: UInt16) throws(Refusal) -> OSCDestination
  /// Sends a packet without waiting; false if it could not be sent.
  func send(_ packet: [UInt8], to destination: OSCDestination) -> Bool
}

/// The present time, on two clocks.
struct OSCMoment: Hashable {
  /// Seconds that never go back.
  var seconds: Double
  /// What calendars say.
  var tag: OSCTimeTag
}

/// Where packets go: an address of the system, in its bytes.
struct OSCDestination: Hashable {
  /// The bytes of the `sockaddr`.
  let bytes: [UInt8]
  /// It for people: "127.0.0.1:9000".
  let text: String
}
