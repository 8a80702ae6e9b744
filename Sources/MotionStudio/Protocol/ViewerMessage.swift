import MotionFiles

/// A message of a viewer, in the protocol `foxglove.sdk.v1`.
package enum ViewerMessage: Hashable, Sendable {
  /// A subscription to a channel, by a number that the viewer chooses.
  package struct Subscription: Hashable, Sendable {
    /// The number, which messages of the channel carry.
    package var id: UInt32
    /// The channel.
    package var channel: UInt32

    /// A subscription.
    package init(id: UInt32, channel: UInt32) { (self.id, self.channel) = (id, channel) }
  }

  /// A call of a service.
  package struct Call: Hashable, Sendable {
    /// The service.
    package var service: UInt32
    /// A number that the viewer chooses; the response carries it.
    package var call: UInt32
    /// The encoding of the request: `json`.
    package var encoding: String
    /// The request.
    package var payload: [UInt8]

    /// A call.
    package init(service: UInt32, call: UInt32, encoding: String, payload: [UInt8]) {
      (self.service, self.call, self.encoding, self.payload) = (service, call, encoding, payload)
    }
  }

  /// Subscribe to channels.
  case subscribe([Subscription])
  /// End these subscriptions.
  case unsubscribe([UInt32])
  /// Send the values of these parameters; of all if none is named.
  case getParameters([String], id: String?)
  /// Set parameters.
  case setParameters([Parameter], id: String?)
  /// Send the values of these parameters whenever they change.
  case subscribeParameters([String])
  /// No longer send them.
  case unsubscribeParameters([String])
  /// Send the graph of who moves what, and its changes.
  case subscribeGraph
  /// No longer send it.
  case unsubscribeGraph
  /// Call a service.
  case call(Call)
  /// Play, pause or go to another time.
  case playback(PlaybackRequest)
  /// A message of the protocol for which the server announced no capability, by its name.
  case unsupported(String)
}

/// The error for a message that does not follow the protocol.
package struct ViewerMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and the remedy, for people.
  package let description: String

  init(_ description: String) { self.description = description }
}

extension ViewerMessage {
  /// Reads a message.
  init(_ message: SocketMessage) throws(ViewerMessageError) {
    switch message {
    case .text(let text): try self.init(text: Array(text.utf8))
    case .binary(let bytes): try self.init(binary: bytes)
    }
  }

  /// Reads a message in JSON.
  package init(text: [UInt8]) throws(ViewerMessageError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(text, limit: StudioLimits.messageBytes)
    } catch {
      throw ViewerMessageError("the message is not JSON: \(error)")
    }
    let fields = Fields(document.root)
    switch try fields.text("op") {
    case "subscribe":
      self = .subscribe(
        try fields.list("subscriptions").map { value throws(ViewerMessageError) in
          let row = Fields(value)
          return Subscription(id: try row.number("id"), channel: try row.number("channelId"))
        })
    case "unsubscribe": self = .unsubscribe(try fields.numbers("subscriptionIds"))
    case "getParameters": self = .getParameters(try fields.texts("parameterNames"), id: try fields.optionalText("id"))
    case "setParameters":
      self = .setParameters(
        try fields.list("parameters").map { value throws(ViewerMessageError) in
          let row = Fields(value)
          // A parameter without a value is to be removed, which none here can be.
          return Parameter(try row.text("name"), row["value"].map { JSONOutput($0) } ?? .null)
        }, id: try fields.optionalText("id"))
    case "subscribeParameterUpdates": self = .subscribeParameters(try fields.texts("parameterNames"))
    case "unsubscribeParameterUpdates": self = .unsubscribeParameters(try fields.texts("parameterNames"))
    case "subscribeConnectionGraph": self = .subscribeGraph
    case "unsubscribeConnectionGraph": self = .unsubscribeGraph
    case let op: self = .unsupported(String(op.prefix(64)))
    }
  }

  /// Reads a binary message.
  package init(binary: [UInt8]) throws(ViewerMessageError) {
    var cursor = ByteCursor(binary)
    switch cursor.integer(UInt8.self) {
    case nil: throw ViewerMessageError("the binary message is empty")
    case 2:
      guard let service: UInt32 = cursor.integer(), let call: UInt32 = cursor.integer(), let encoding = cursor.text()
      else { throw ViewerMessageError("the call of a service ends before its payload begins") }
      self = .call(Call(service: service, call: call, encoding: encoding, payload: cursor.rest()))
    case 1: self = .unsupported("message data")
    case 3: self = .playback(try PlaybackRequest(&cursor))
    case let opcode?: throw ViewerMessageError("there is no binary message of a viewer with the opcode \(opcode)")
    }
  }

  /// The members of a JSON object, by the types that the protocol gives them.
  private struct Fields {
    private let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    subscript(key: String) -> JSONValue? { value.member(key) }

    func text(_ key: String) throws(ViewerMessageError) -> String {
      guard let text = try optionalText(key) else { throw ViewerMessageError("the member \"\(key)\" is missing") }
      return text
    }

    func optionalText(_ key: String) throws(ViewerMessageError) -> String? {
      guard let content = self[key]?.content else { return nil }
      switch content {
      case .string(let text): return text
      case .null: return nil
      default: throw ViewerMessageError("\"\(key)\" has to be a text")
      }
    }

    func number(_ key: String) throws(ViewerMessageError) -> UInt32 {
      guard let value = self[key] else { throw ViewerMessageError("the member \"\(key)\" is missing") }
      return try Self.number(value, key)
    }

    func list(_ key: String) throws(ViewerMessageError) -> [JSONValue] {
      guard case .array(let elements)? = self[key]?.content else {
        throw ViewerMessageError("\"\(key)\" has to be a list")
      }
      return elements
    }

    func numbers(_ key: String) throws(ViewerMessageError) -> [UInt32] {
      try list(key).map { value throws(ViewerMessageError) in try Self.number(value, key) }
    }

    func texts(_ key: String) throws(ViewerMessageError) -> [String] {
      try list(key).map { value throws(ViewerMessageError) in
        guard case .string(let text) = value.content else {
          throw ViewerMessageError("\"\(key)\" has to be a list of texts")
        }
        return text
      }
    }

    private static func number(_ value: JSONValue, _ key: String) throws(ViewerMessageError) -> UInt32 {
      guard case .number(let number) = value.content, let integer = UInt32(exactly: number) else {
        throw ViewerMessageError("\"\(key)\" has to be a whole number below 2³²")
      }
      return integer
    }
  }
}
