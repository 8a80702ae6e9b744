package import MotionFiles

/// The messages to a viewer, in the protocol `foxglove.sdk.v1`.
package enum ServerMessage {
  /// How urgent a status is.
  package enum Level: UInt64, Sendable {
    /// For information.
    case info = 0
    /// Something is not as it could be.
    case warning = 1
    /// Something does not work.
    case error = 2
  }

  /// The first message of a connection.
  ///
  /// - Parameters:
  ///   - session: identifies the server's run: viewers drop what they know when it is another one.
  ///   - range: the first and the last time of what is played, in nanoseconds since 1970; `nil` for live values.
  package static func info(
    name: String, session: String, metadata: JSONOutput, playing range: ClosedRange<UInt64>? = nil
  ) -> SocketMessage {
    let live: JSONOutput = [
      "op": .text("serverInfo"), "name": .text(name), "metadata": metadata, "sessionId": .text(session),
    ]
    guard let range else {
      return text(
        live.joined(with: [
          "capabilities": .texts(["time", "parameters", "parametersSubscribe", "services", "connectionGraph"]),
          "supportedEncodings": .texts(["json"]),
        ]))
    }
    func time(_ nanoseconds: UInt64) -> JSONOutput {
      ["sec": .unsigned(nanoseconds / 1_000_000_000), "nsec": .unsigned(nanoseconds % 1_000_000_000)]
    }
    return text(
      live.joined(with: [
        "capabilities": .texts(["time", "playbackControl"]), "dataStartTime": time(range.lowerBound),
        "dataEndTime": time(range.upperBound),
      ]))
  }

  /// New channels.
  package static func advertise(_ channels: [LiveChannel]) -> SocketMessage {
    text(["op": .text("advertise"), "channels": .list(channels.map(\.json))])
  }

  /// Channels that are gone, with their subscriptions.
  package static func unadvertise(_ channels: [UInt32]) -> SocketMessage {
    text(["op": .text("unadvertise"), "channelIds": .list(channels.map { .unsigned(UInt64($0)) })])
  }

  /// The services.
  package static func advertise(_ services: [Service]) -> SocketMessage {
    text(["op": .text("advertiseServices"), "services": .list(services.map(\.json))])
  }

  /// Values of parameters: an answer to the request of this id, or changes.
  package static func parameters(_ parameters: [Parameter], id: String?) -> SocketMessage {
    var members: [JSONOutput.Member] = [
      .init(key: "op", value: .text("parameterValues")),
      .init(key: "parameters", value: .list(parameters.map(\.json))),
    ]
    if let id { members.append(.init(key: "id", value: .text(id))) }
    return text(.object(members))
  }

  /// A message for people. One with an id replaces the former one of that id.
  package static func status(_ level: Level, _ message: String, id: String? = nil) -> SocketMessage {
    var members: [JSONOutput.Member] = [
      .init(key: "op", value: .text("status")), .init(key: "level", value: .unsigned(level.rawValue)),
      .init(key: "message", value: .text(message)),
    ]
    if let id { members.append(.init(key: "id", value: .text(id))) }
    return text(.object(members))
  }

  /// A status no longer holds.
  package static func removeStatus(_ id: String) -> SocketMessage {
    text(["op": .text("removeStatus"), "statusIds": .texts([id])])
  }

  /// A service failed.
  package static func failure(_ call: ViewerMessage.Call, _ message: String) -> SocketMessage {
    text([
      "op": .text("serviceCallFailure"), "serviceId": .unsigned(UInt64(call.service)),
      "callId": .unsigned(UInt64(call.call)), "message": .text(message),
    ])
  }

  /// A message of a channel.
  ///
  /// - Parameter time: nanoseconds since 1970.
  package static func data(_ subscription: UInt32, at time: UInt64, _ payload: [UInt8]) -> SocketMessage {
    var bytes: [UInt8] = [1]
    bytes.reserveCapacity(13 + payload.count)
    bytes.append(littleEndian: subscription)
    bytes.append(littleEndian: time)
    return .binary(bytes + payload)
  }

  /// The server's time, in nanoseconds since 1970.
  package static func time(_ time: UInt64) -> SocketMessage {
    var bytes: [UInt8] = [2]
    bytes.append(littleEndian: time)
    return .binary(bytes)
  }

  /// The response of a service.
  package static func response(_ call: ViewerMessage.Call, _ payload: JSONOutput) -> SocketMessage {
    var bytes: [UInt8] = [3]
    bytes.append(littleEndian: call.service)
    bytes.append(littleEndian: call.call)
    let encoding = Array("json".utf8)
    bytes.append(littleEndian: UInt32(encoding.count))
    return .binary(bytes + encoding + Array(payload.line.utf8))
  }

  static func text(_ json: JSONOutput) -> SocketMessage { .text(json.line) }
}
