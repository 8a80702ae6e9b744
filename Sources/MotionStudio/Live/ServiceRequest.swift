import MotionFiles
package import MotionModel

/// The request of a service, except for a commit, whose form is that of a transaction file.
package enum ServiceRequest: Hashable, Sendable {
  /// A command to the clock.
  case clock(ClockCommand)
  /// A stop.
  case stop(StopRequest)
  /// The question why a property has its value.
  case why(PropertyReference)
  /// Rows of one kind.
  case list(Query)
  /// Events of pointers. Their times are seconds after the request was sent: 0 or less.
  case input(PointerInput)

  /// The error for a request that cannot be read.
  package struct FormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the remedy, for people.
    package let description: String
  }

  /// Reads a request in JSON; an empty one counts as `{}`.
  package init(_ service: Service, _ payload: [UInt8]) throws(FormError) {
    let root = try Self.root(payload)
    switch service {
    case .pause: self = .clock(.pause)
    case .resume: self = .clock(.resume)
    case .step: self = .clock(.step(try Self.frames(root?.member("frames"))))
    case .stop:
      self = .stop(
        try Self.stop(
          root?.member("targets"), outputs: try Self.flag(root, "outputs"), ramp: try Self.flag(root, "ramp")))
    case .why: self = .why(try Self.property(root?.member("property")))
    case .list: self = .list(try Self.query(root))
    case .input: self = .input(try Self.input(root))
    case .commit: throw FormError(description: "a commit is a transaction file")
    case .curves, .rows: throw FormError(description: "\(service) takes long")
    }
  }

  /// The object of a request; an empty one is `nil`.
  static func root(_ payload: [UInt8]) throws(FormError) -> JSONValue? {
    guard !payload.isEmpty else { return nil }
    do {
      let root = try JSONDocument(payload, limit: StudioLimits.messageBytes).root
      if case .object = root.content { return root }
    } catch {
      throw FormError(description: "the request is not JSON: \(error)")
    }
    throw FormError(description: "the request has to be an object of JSON")
  }

  private static func frames(_ value: JSONValue?) throws(FormError) -> UInt64 {
    guard let value else { return 1 }
    guard case .number(let number) = value.content, let frames = UInt64(exactly: number), frames > 0 else {
      throw FormError(description: "\"frames\" has to be a whole number above 0")
    }
    return frames
  }

  /// A stop of the targets of a list of names and selectors; of everything without one.
  private static func stop(_ value: JSONValue?, outputs: Bool, ramp: Bool) throws(FormError) -> StopRequest {
    guard let value else { return StopRequest(outputs: outputs, ramp: ramp) }
    guard case .array(let elements) = value.content else {
      throw FormError(description: "\"targets\" has to be a list of names")
    }
    let texts = try elements.map { element throws(FormError) in
      guard case .string(let text) = element.content else {
        throw FormError(description: "\"targets\" has to be a list of names")
      }
      return text
    }
    guard !texts.isEmpty else { return StopRequest(outputs: outputs, ramp: ramp) }
    let names = texts.compactMap { try? TargetName($0) }
    guard names.count < texts.count else { return StopRequest(names, outputs: outputs, ramp: ramp) }
    do {
      return StopRequest(each: try TargetSelector(texts), outputs: outputs, ramp: ramp)
    } catch {
      throw FormError(description: error.description)
    }
  }

  private static func flag(_ root: JSONValue?, _ key: String) throws(FormError) -> Bool {
    guard let value = root?.member(key) else { return false }
    guard case .bool(let flag) = value.content else {
      throw FormError(description: "\"\(key)\" has to be true or false")
    }
    return flag
  }

  /// Reads `ball/position`, or `ball.position`.
  static func property(_ value: JSONValue?) throws(FormError) -> PropertyReference {
    guard case .string(let text)? = value?.content,
      let separator = text.lastIndex(of: "/") ?? text.lastIndex(of: ".")
    else { throw FormError(description: "\"property\" has to be a text, such as \"ball/position\"") }
    return try named { () throws(NameError) in
      PropertyReference(
        try TargetName(String(text[..<separator])), try PropertyName(String(text[text.index(after: separator)...])))
    }
  }

  static func named<Value>(_ body: () throws(NameError) -> Value) throws(FormError) -> Value {
    do { return try body() } catch { throw FormError(description: error.description) }
  }
}
