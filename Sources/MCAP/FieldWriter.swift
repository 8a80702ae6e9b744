/// How records and their fields are written: at the end of an array of bytes.
extension [UInt8] {
  /// Appends the lowest byte first.
  mutating func append<Number: FixedWidthInteger>(number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a text preceded by its length.
  mutating func append(text: String) {
    var text = text
    text.withUTF8 { text in
      append(number: UInt32(text.count))
      append(contentsOf: text)
    }
  }

  /// Appends a map of texts, in the order of their names, so that equal maps become equal bytes.
  mutating func append(texts: [String: String]) {
    let length = texts.reduce(0) { $0 + 8 + $1.key.utf8.count + $1.value.utf8.count }
    append(number: UInt32(length))
    for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
      append(text: key)
      append(text: value)
    }
  }

  /// Appends bytes from elsewhere.
  mutating func append(bytes: RawSpan) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  /// Appends a record with the content that `content` appends.
  mutating func append(record opcode: MCAPOpcode, _ content: (inout [UInt8]) -> Void) {
    append(opcode.rawValue)
    let place = count
    append(number: UInt64(0))
    content(&self)
    let length = UInt64(count - place - 8)
    for byte in 0..<8 { self[place + byte] = UInt8(truncatingIfNeeded: length >> (8 * byte)) }
  }
}

extension MCAPSchema {
  func write(to bytes: inout [UInt8]) {
    bytes.append(record: .schema) { bytes in
      bytes.append(number: id)
      bytes.append(text: name)
      bytes.append(text: encoding)
      bytes.append(number: UInt32(data.count))
      bytes.append(contentsOf: data)
    }
  }
}

extension MCAPChannel {
  func write(to bytes: inout [UInt8]) {
    bytes.append(record: .channel) { bytes in
      bytes.append(number: id)
      bytes.append(number: schema)
      bytes.append(text: topic)
      bytes.append(text: messageEncoding)
      bytes.append(texts: metadata)
    }
  }
}

extension MCAPMetadata {
  func write(to bytes: inout [UInt8]) {
    bytes.append(record: .metadata) { bytes in
      bytes.append(text: name)
      bytes.append(texts: values)
    }
  }
}

extension MCAPStatistics {
  func write(to bytes: inout [UInt8]) {
    bytes.append(record: .statistics) { bytes in
      bytes.append(number: messages)
      bytes.append(number: schemas)
      bytes.append(number: channels)
      bytes.append(number: attachments)
      bytes.append(number: metadata)
      bytes.append(number: chunks)
      bytes.append(number: startTime)
      bytes.append(number: endTime)
      bytes.append(number: UInt32(10 * channelMessages.count))
      for (channel, count) in channelMessages.sorted(by: { $0.key < $1.key }) {
        bytes.append(number: channel)
        bytes.append(number: count)
      }
    }
  }
}
