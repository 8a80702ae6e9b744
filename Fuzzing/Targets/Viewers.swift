import MotionClient
import MotionFiles
import MotionModel
import MotionStudio
import MotionWire

/// What viewers send to motion-studio: messages of a connection, after the kind of each; and requests and files, which
/// admit nobody without a token.
enum Viewers {
  static func run(_ bytes: [UInt8]) throws {
    switch bytes.first {
    case UInt8(ascii: "r"): try request(bytes.dropFirst())
    case UInt8(ascii: "v"): try list(bytes.dropFirst())
    case nil: break
    default: try converse(bytes)
    }
  }

  // MARK: Messages

  /// A conversation of pieces: text that begins with a space or a brace, else binary.
  private static func converse(_ bytes: [UInt8]) throws {
    let ball = PropertyReference("ball", "position")
    try play(Array(bytes.dropFirst()))
    var conversation = LiveConversation(mayChange: bytes[0] & 1 == 0)
    var followed: Set<Interest> = []
    try take(conversation.begin(session: "s"), &followed)
    try take(
      conversation.take(properties: [ball, PropertyReference("lamp", "opacity")], counts: Status.Counts()), &followed)
    for (index, piece) in Pieces(Array(bytes.dropFirst())).enumerated() {
      let isText = piece.first.map { $0 == 0x20 || $0 == UInt8(ascii: "{") } ?? true
      do {
        let message = isText ? try ViewerMessage(text: piece) : try ViewerMessage(binary: piece)
        try take(conversation.receive(message), &followed)
      } catch let error as ViewerMessageError {
        try require(!error.description.isEmpty, "a message is refused without words")
        try take(conversation.receive(error), &followed)
      }
      let instant = LiveConversation.Instant(now: .milliseconds(20 * index), wallTime: UInt64(index))
      let values = FrameValues(
        interest: .motion(.property(ball)), frame: UInt64(index), time: 0, dt: 1,
        properties: [PropertyValue(reference: ball, value: [1, 2], velocity: [0, 0])])
      try take(conversation.receive(.values(values), at: instant), &followed)
      try take(conversation.elapsed(at: instant, hasRoom: index % 3 != 0), &followed)
    }
  }

  /// The same pieces as messages to a playback. Its cursor stays within the range.
  private static func play(_ bytes: [UInt8]) throws {
    let ball = PropertyReference("ball", "position")
    var conversation = PlaybackConversation(playing: 1_000_000_000...2_000_000_000)
    func take(_ actions: [PlaybackConversation.Action], _ conversation: inout PlaybackConversation) throws {
      for action in actions {
        switch action {
        case .show(let time), .play(let time):
          try require(conversation.range.contains(time), "\(time) is outside")
          let place = PlaybackConversation.Place(
            Frame(number: 1, time: 0, dt: 0), [(ball, PropertyState([1], velocity: [0]))])
          try take(conversation.take(place), &conversation)
        case .send(.text(let text)):
          try require((try? JSONDocument(Array(text.utf8))) != nil, "a message is not JSON: \(text.prefix(200))")
        case .send(.binary(let bytes)): try require([1, 2, 3, 5].contains(bytes.first ?? 0), "a message has no kind")
        }
      }
      try require(conversation.range.contains(conversation.state.time), "the cursor is outside")
    }
    try take(conversation.begin("a", session: "s"), &conversation)
    for (index, piece) in Pieces(bytes).enumerated() {
      let isText = piece.first.map { $0 == 0x20 || $0 == UInt8(ascii: "{") } ?? true
      guard let message = try? isText ? ViewerMessage(text: piece) : ViewerMessage(binary: piece) else { continue }
      try take(conversation.receive(message, at: .milliseconds(20 * index)), &conversation)
      try take(conversation.elapsed(at: .milliseconds(20 * index + 10), hasRoom: index % 3 != 0), &conversation)
    }
  }

  /// What is followed is followed once, and what is unfollowed was followed. Messages in JSON are JSON.
  private static func take(_ actions: [LiveConversation.Action], _ followed: inout Set<Interest>) throws {
    for action in actions {
      switch action {
      case .follow(let interest): try require(followed.insert(interest).inserted, "\(interest) is followed twice")
      case .unfollow(let interest):
        try require(followed.remove(interest) != nil, "\(interest) is unfollowed, and was not followed")
      case .send(.text(let text)):
        try require((try? JSONDocument(Array(text.utf8))) != nil, "a message is not JSON: \(text.prefix(200))")
      case .send(.binary(let bytes)): try require((1...3).contains(bytes.first ?? 0), "a message has no kind")
      case .request(.call(let call, let service)):
        guard service != .commit else { continue }
        if case .failure(let error) = Result(catching: { () throws(ServiceRequest.FormError) in
          if try LongRequest(service, call.payload) == nil { _ = try ServiceRequest(service, call.payload) }
        }) {
          try require(!error.description.isEmpty, "a call is refused without words")
        }
      case .request(.set(let parameters, _)): try set(parameters)
      case .request: break
      }
    }
  }

  private static func set(_ parameters: [Parameter]) throws {
    let table = ParameterTable(ClockState(), pattern: nil)
    for parameter in parameters {
      do {
        if case .clock(.speed(let speed)) = try table.change(to: parameter) {
          try require(Limits.speed.contains(speed), "the speed would be \(speed)")
        }
      } catch let error as ParameterTable.ChangeError {
        try require(!error.description.isEmpty, "a parameter is refused without words")
      }
    }
  }

  // MARK: Requests

  /// Lines: the method, the target, then fields as `NAME:VALUE`.
  private static func request(_ bytes: ArraySlice<UInt8>) throws {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    guard lines.count >= 2 else { return }
    let fields = lines.dropFirst(2).map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return HTTPRequest.Field(parts[0], parts.count > 1 ? parts[1] : "")
    }
    let access = Access(token: .random(), port: 8765)
    switch access.decide(HTTPRequest(lines[0], lines[1], fields)) {
    case .upgrade: throw FuzzFinding("a viewer is admitted without a token")
    case .exchange: break
    case .file(let name, _):
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      try require(parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }, "\(name) leads out of the folder")
    case .refuse(let status, let reason):
      try require((400...431).contains(status) && !reason.isEmpty, "the status is \(status), the reason \(reason)")
    }
  }

  private static func list(_ bytes: ArraySlice<UInt8>) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let channels = TargetSelector.channels(text) { _ = channels.matches("ball-2") }
    guard let list = try? ViewerList(text) else { return }
    let again = try? ViewerList(list.text)
    try require(again == list, "a list is read differently when it is written")
  }
}
