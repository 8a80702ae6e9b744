extension MCAPWriter {
  /// The bytes of a message outside of chunks, to append to a file that is not finished: it is readable at once, without
  /// a checksum and without an index.
  ///
  /// - Parameters:
  ///   - channel: the number of a channel of the file.
  ///   - sequence: the number of the message in its channel; 0 if they are not numbered.
  ///   - logTime: the time at which the message was recorded, in nanoseconds.
  ///   - data: the content, in the encoding of the channel.
  public static func message(channel: UInt16, sequence: UInt32, logTime: UInt64, data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(MCAPFormat.recordHead + MCAPFormat.messageHead + data.count)
    bytes.append(MCAPOpcode.message.rawValue)
    bytes.append(number: UInt64(MCAPFormat.messageHead + data.count))
    bytes.append(number: channel)
    bytes.append(number: sequence)
    bytes.append(number: logTime)
    bytes.append(number: logTime)
    bytes.append(contentsOf: data)
    return bytes
  }

  /// The bytes of named texts, likewise.
  public static func metadata(_ metadata: MCAPMetadata) -> [UInt8] {
    var bytes: [UInt8] = []
    metadata.write(to: &bytes)
    return bytes
  }
}
