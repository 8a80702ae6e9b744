import MotionFiles
import MotionWire

/// A channel as the server advertises it.
package struct LiveChannel: Hashable, Sendable {
  /// The number, for the whole connection.
  package var id: UInt32
  /// The topic.
  package var topic: String
  /// The type of its messages.
  package var schema: ChannelSchema

  var json: JSONOutput {
    [
      "id": .unsigned(UInt64(id)), "topic": .text(topic), "encoding": .text(schema.encoding),
      "schemaName": .text(schema.name), "schema": .text(schema.text), "schemaEncoding": .text(schema.schemaEncoding),
    ]
  }
}

/// The type of a channel's messages, or of a service's requests.
package struct ChannelSchema: Hashable, Sendable {
  /// The encoding of messages.
  package var encoding: String
  /// The name of the type.
  package var name: String
  /// The encoding of the schema.
  package var schemaEncoding: String
  /// The schema: JSON, or the base64 of bytes.
  package var text: String

  /// A message of motion.proto.
  init(_ sample: SampleMessage.Schema) {
    (encoding, name, schemaEncoding) = (SampleMessage.encoding, sample.name, SampleMessage.encoding)
    text = Base64.text(of: sample.descriptorSet)
  }

  /// A type of JSON with these members.
  init(_ name: String, _ members: JSONOutput, required: [String] = []) {
    (encoding, self.name, schemaEncoding) = ("json", name, "jsonschema")
    let schema: JSONOutput = [
      "title": .text(name), "type": .text("object"), "properties": members, "required": .texts(required),
    ]
    text = schema.line
  }

  /// The values of a property.
  static let values = ChannelSchema(SampleMessage.property)
  /// Drivers.
  static let drivers = ChannelSchema(SampleMessage.driver)
  /// Lines of a log, as viewers know them.
  static let log = ChannelSchema(
    "foxglove.Log",
    [
      "timestamp": [
        "type": .text("object"), "title": .text("time"),
        "properties": ["sec": ["type": .text("integer")], "nsec": ["type": .text("integer")]],
      ],
      "level": ["type": .text("integer")], "message": ["type": .text("string")], "name": ["type": .text("string")],
      "file": ["type": .text("string")], "line": ["type": .text("integer")],
    ])
}
