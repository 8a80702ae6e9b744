/// The constants of the format.
public enum MCAPFormat {
  /// The first and the last bytes of a file. The sixth is the major version.
  public static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  /// The bytes of a record before its content: its opcode, and the length of the content.
  public static let recordHead = 9
  /// The bytes of a chunk's content before its records, if it is not compressed.
  static let chunkHead = 40
  /// The bytes of a message's content before its data.
  static let messageHead = 22
  /// The bytes of a footer's content.
  static let footer = 20
}

/// The kinds of records.
enum MCAPOpcode: UInt8, Sendable {
  case header = 0x01
  case footer = 0x02
  case schema = 0x03
  case channel = 0x04
  case message = 0x05
  case chunk = 0x06
  case messageIndex = 0x07
  case chunkIndex = 0x08
  case attachment = 0x09
  case attachmentIndex = 0x0A
  case statistics = 0x0B
  case metadata = 0x0C
  case metadataIndex = 0x0D
  case summaryOffset = 0x0E
  case dataEnd = 0x0F
}

/// The first record of a file.
public struct MCAPHeader: Hashable, Sendable {
  /// The conventions that the channels follow; may be empty.
  public var profile: String
  /// The library that wrote the file.
  public var library: String

  /// Creates a header.
  public init(profile: String, library: String) { (self.profile, self.library) = (profile, library) }
}

/// The type of the messages of channels.
public struct MCAPSchema: Hashable, Sendable {
  /// Its number in the file, from 1.
  public var id: UInt16
  /// The name of the type; with protobuf, the full name of the message.
  public var name: String
  /// The language of ``data``, such as `protobuf`.
  public var encoding: String
  /// The definition of the type; with protobuf, a FileDescriptorSet.
  public var data: [UInt8]

  /// Creates a schema.
  public init(id: UInt16, name: String, encoding: String, data: [UInt8]) {
    (self.id, self.name, self.encoding, self.data) = (id, name, encoding, data)
  }
}

/// A stream of messages on one topic.
public struct MCAPChannel: Hashable, Sendable {
  /// Its number in the file.
  public var id: UInt16
  /// The number of the schema; 0 if there is none.
  public var schema: UInt16
  /// The topic.
  public var topic: String
  /// The encoding of the messages, such as `protobuf`.
  public var messageEncoding: String
  /// Descriptions of the channel, by name.
  public var metadata: [String: String]

  /// Creates a channel.
  public init(id: UInt16, schema: UInt16, topic: String, messageEncoding: String, metadata: [String: String] = [:]) {
    (self.id, self.schema, self.topic) = (id, schema, topic)
    (self.messageEncoding, self.metadata) = (messageEncoding, metadata)
  }
}

/// A message.
public struct MCAPMessage: Hashable, Sendable {
  /// The number of its channel.
  public var channel: UInt16
  /// Its number in the channel; 0 if messages are not numbered.
  public var sequence: UInt32
  /// The time at which it was recorded, in nanoseconds.
  public var logTime: UInt64
  /// The time at which it was published, in nanoseconds.
  public var publishTime: UInt64
  /// The content, in the encoding of its channel.
  public var data: [UInt8]

  /// Creates a message.
  public init(channel: UInt16, sequence: UInt32, logTime: UInt64, publishTime: UInt64, data: [UInt8]) {
    (self.channel, self.sequence, self.data) = (channel, sequence, data)
    (self.logTime, self.publishTime) = (logTime, publishTime)
  }
}

/// Named texts about the file.
public struct MCAPMetadata: Hashable, Sendable {
  /// The name of the record.
  public var name: String
  /// The texts.
  public var values: [String: String]

  /// Creates metadata.
  public init(name: String, values: [String: String]) { (self.name, self.values) = (name, values) }
}

/// The place of a chunk, and the times of its messages.
public struct MCAPChunk: Hashable, Sendable {
  /// The earliest log time of its messages; 0 if it has none.
  public var startTime: UInt64
  /// The latest log time of its messages; 0 if it has none.
  public var endTime: UInt64
  /// The offset of the chunk's record in the file.
  public var offset: UInt64
  /// The length of the record in bytes, as far as it is present.
  public var length: UInt64
  /// The channels of its messages; `nil` if the file does not state them.
  public var channels: [UInt16]?
  /// Whether the chunk is whole. Of one that is cut off, the checksum cannot be verified.
  public var isWhole: Bool

  /// Creates the description of a chunk.
  public init(
    startTime: UInt64, endTime: UInt64, offset: UInt64, length: UInt64, channels: [UInt16]? = nil, isWhole: Bool = true
  ) {
    (self.startTime, self.endTime, self.offset, self.length) = (startTime, endTime, offset, length)
    (self.channels, self.isWhole) = (channels, isWhole)
  }
}

/// The numbers of records in a file.
public struct MCAPStatistics: Hashable, Sendable {
  /// The number of messages.
  public var messages: UInt64 = 0
  /// The number of schemas.
  public var schemas: UInt16 = 0
  /// The number of channels.
  public var channels: UInt32 = 0
  /// The number of attachments.
  public var attachments: UInt32 = 0
  /// The number of metadata records.
  public var metadata: UInt32 = 0
  /// The number of chunks.
  public var chunks: UInt32 = 0
  /// The earliest log time; 0 if there is no message.
  public var startTime: UInt64 = 0
  /// The latest log time; 0 if there is no message.
  public var endTime: UInt64 = 0
  /// The number of messages of each channel that has any.
  public var channelMessages: [UInt16: UInt64] = [:]

  /// Creates the statistics of an empty file.
  public init() {}
}
