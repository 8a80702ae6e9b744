/// What a viewer plays.
package enum PlaybackSource: Hashable, Sendable {
  /// The last minutes that motiond keeps.
  case history
  /// The recording of this name in the operator's folder.
  case recording(String)

  /// The name, for people.
  var title: String {
    switch self {
    case .history: "motiond, the last minutes"
    case .recording(let name): name
    }
  }
}

/// A request of a viewer to play, to pause, or to go to another time.
package struct PlaybackRequest: Hashable, Sendable {
  /// Whether it plays from now on; otherwise it is paused.
  package var plays: Bool
  /// Seconds of the recording that pass in a second.
  package var speed: Float
  /// The time to go to first, in nanoseconds since 1970; `nil` to stay.
  package var seek: UInt64?
  /// Identifies the answer.
  package var id: String

  /// A request.
  package init(plays: Bool, speed: Float = 1, seek: UInt64? = nil, id: String) {
    (self.plays, self.speed, self.seek, self.id) = (plays, speed, seek, id)
  }

  /// Reads a request, after its opcode.
  init(_ cursor: inout ByteCursor) throws(ViewerMessageError) {
    guard let command: UInt8 = cursor.integer(), let speed: UInt32 = cursor.integer(),
      let seeks: UInt8 = cursor.integer(),
      let time: UInt64 = cursor.integer(), let id = cursor.text()
    else { throw ViewerMessageError("the request to playback ends too early") }
    guard command <= 1 else {
      throw ViewerMessageError("there is no command \(command) of playback: 0 plays, 1 pauses")
    }
    self.init(plays: command == 0, speed: Float(bitPattern: speed), seek: seeks == 0 ? nil : time, id: id)
  }
}

/// Where a playback is.
package struct PlaybackState: Hashable, Sendable {
  /// What it does.
  package enum Status: UInt8, Sendable {
    case playing = 0
    case paused = 1
    /// It is at the end.
    case ended = 3
  }

  /// What it does.
  package var status: Status
  /// Where it is, in nanoseconds since 1970.
  package var time: UInt64
  /// Seconds of the recording that pass in a second.
  package var speed: Float

  /// The message.
  ///
  /// - Parameters:
  ///   - didSeek: whether it has gone to another time.
  ///   - id: that of the request that it answers; empty if there was none.
  package func message(didSeek: Bool, answering id: String = "") -> SocketMessage {
    var bytes: [UInt8] = [5, status.rawValue]
    bytes.append(littleEndian: time)
    bytes.append(littleEndian: speed.bitPattern)
    bytes.append(didSeek ? 1 : 0)
    bytes.append(littleEndian: UInt32(id.utf8.count))
    return .binary(bytes + Array(id.utf8))
  }
}
