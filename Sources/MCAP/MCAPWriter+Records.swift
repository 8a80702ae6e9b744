extension MCAPWriter {
  /// The bytes of a message outside of chunks before its content.
  public static var messageHead: Int { MCAPFormat.recordHead + MCAPFormat.messageHead }

  /// Completes a message outside of chunks, to append to a file that is not finished: it is readable at once, without a
  /// checksum and without an index.
  ///
  /// - Parameters:
  ///   - message: ``messageHead`` bytes for this to set, and the content in the encoding of the channel.
  ///   - channel: the number of a channel of the file.
  ///   - sequence: the number of the message in its channel; 0 if they are not numbered.
  ///   - logTime: the time at which the message was recorded, in nanoseconds.
  public static func completeMessage(
    _ message: inout [UInt8], channel: UInt16, sequence: UInt32, logTime: UInt64
  ) {
    precondition(message.count >= messageHead, "a message of \(message.count) bytes has no room for its head")
    var head: [UInt8] = []
    head.reserveCapacity(messageHead)
    head.append(MCAPOpcode.message.rawValue)
    head.append(number: UInt64(message.count - MCAPFormat.recordHead))
    head.append(number: channel)
    head.append(number: sequence)
    head.append(number: logTime)
    head.append(number: logTime)
    for (index, byte) in head.enumerated() { message[index] = byte }
  }

  /// The bytes of named texts, likewise.
  public static func metadata(_ metadata: MCAPMetadata) -> [UInt8] {
    var bytes: [UInt8] = []
    metadata.write(to: &bytes)
    return bytes
  }
}
