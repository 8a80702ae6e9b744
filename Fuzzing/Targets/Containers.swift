import MCAP

/// Files in the format MCAP: they are read in pieces as at once, by their index if they have one, and what was read is
/// written so that it is read again.
enum Containers {
  static func run(_ bytes: [UInt8]) throws {
    let whole = read([bytes[...]])
    let split = read([bytes.prefix(bytes.count / 3), bytes.dropFirst(bytes.count / 3)])
    try require(whole == split, "\(whole) is read in pieces as \(split)")
    if let error = whole.error {
      try require(error.offset <= UInt64(bytes.count) && !error.remedy.isEmpty, "\(error) has no place or remedy")
    }
    try again(whole.steps)
    try find(bytes)
  }

  private struct Reading: Equatable {
    var steps: [MCAPReader.Step] = []
    var error: MCAPError?
  }

  /// All steps, the end included, up to an error.
  private static func read(_ pieces: [ArraySlice<UInt8>]) -> Reading {
    var reader = MCAPReader()
    var reading = Reading()
    do {
      for piece in pieces {
        reader.append(piece)
        while case let step = try reader.next(), step != .needsBytes, !step.isEnd { reading.steps.append(step) }
      }
      reader.finish()
      while true {
        reading.steps.append(try reader.next())
        if reading.steps[reading.steps.count - 1].isEnd { return reading }
      }
    } catch {
      reading.error = error
      return reading
    }
  }

  private static func again(_ steps: [MCAPReader.Step]) throws {
    guard case .header(let header) = steps.first else { return }
    var writer = MCAPWriter(header, chunkBytes: 1000)
    // Numbers are given by the writer.
    var schemas: [UInt16: UInt16] = [0: 0]
    var channels: [UInt16: UInt16] = [:]
    for step in steps {
      switch step {
      case .schema(let schema):
        schemas[schema.id] = writer.addSchema(name: schema.name, encoding: schema.encoding, data: schema.data)
      case .channel(let channel):
        channels[channel.id] = writer.addChannel(
          topic: channel.topic, messageEncoding: channel.messageEncoding, schema: schemas[channel.schema] ?? 0,
          metadata: channel.metadata)
      case .metadata(let metadata): writer.addMetadata(metadata)
      case .message(let message):
        guard let channel = channels[message.channel] else { throw FuzzFinding("\(message) has no channel") }
        writer.addMessage(
          channel: channel, sequence: message.sequence, logTime: message.logTime, publishTime: message.publishTime,
          data: message.data.span.bytes)
      default: break
      }
    }
    writer.finish()
    let second = read([writer.take()[...]])
    try require(second.error == nil && second.steps.last == .end(.complete), "\(steps) is written so: \(second)")
    let written = steps.messages.map { $0.on(channels[$0.channel]) }
    try require(second.steps.messages == written, "\(written) is read again as \(second.steps.messages)")
  }

  private static func find(_ bytes: [UInt8]) throws {
    func part(_ range: Range<UInt64>) -> [UInt8] { Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]) }
    do {
      let index = try MCAPIndex(size: UInt64(bytes.count), read: part)
      for chunk in index.chunks(from: 0, through: .max) { _ = try? index.messages(in: chunk, read: part) }
    } catch let error as MCAPError {
      try require(!error.remedy.isEmpty, "\(error) has no remedy")
    }
  }
}

extension MCAPReader.Step {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}

extension [MCAPReader.Step] {
  fileprivate var messages: [MCAPMessage] { compactMap { if case .message(let message) = $0 { message } else { nil } } }
}

extension MCAPMessage {
  fileprivate func on(_ channel: UInt16?) -> MCAPMessage {
    var message = self
    message.channel = channel ?? message.channel
    return message
  }
}
