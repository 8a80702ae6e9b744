import MotionFiles
package import MotionHistory
package import MotionModel

/// A request whose answer takes long: about the last minutes that motiond keeps, or about all targets. Another thread answers
/// it, so that live values go on meanwhile.
package enum LongRequest: Hashable, Sendable {
  /// Rows of one kind at a moment.
  case list(Query, RecordedMoment)
  /// Why a property had its value at a moment.
  case why(PropertyReference, RecordedMoment)
  /// The values and velocities of properties in a part.
  case curves(CurvesRequest)
  /// Rows of the hierarchy, at a moment or of the present.
  case rows(HierarchyTable.Request, RecordedMoment?)

  /// The curves that a viewer asks for.
  package struct CurvesRequest: Hashable, Sendable {
    /// The properties.
    package var properties: [PropertyReference]
    /// Where they begin and end; `nil` for the beginning and the end of what is kept.
    package var from, to: RecordedMoment?
    /// How many points a curve has at most, approximately.
    package var points: Int
  }

  /// Reads the request of a service; `nil` if its answer takes no time.
  package init?(_ service: Service, _ payload: [UInt8]) throws(ServiceRequest.FormError) {
    guard [.list, .why, .curves, .rows].contains(service) else { return nil }
    let root = try ServiceRequest.root(payload)
    let moment = try Self.moment(root)
    switch (service, moment) {
    case (.curves, _): self = .curves(try Self.curves(root))
    case (.rows, let moment): self = .rows(try Self.rows(root), moment)
    case (.why, let moment?): self = .why(try ServiceRequest.property(root?.member("property")), moment)
    case (_, let moment?): self = .list(try ServiceRequest.query(root), moment)
    case (_, nil): return nil
    }
  }

  private static func moment(_ root: JSONValue?) throws(ServiceRequest.FormError) -> RecordedMoment? {
    switch (root?.member("at"), root?.member("frame")) {
    case (nil, nil): return nil
    case (let text?, nil): return try moment(text, "at")
    case (nil, let number?):
      guard case .number(let number) = number.content, let frame = UInt64(exactly: number) else {
        throw ServiceRequest.FormError(description: "\"frame\" has to be a whole number")
      }
      return .frame(frame)
    case (.some, .some):
      throw ServiceRequest.FormError(description: "a moment is \"at\" or \"frame\", and not both")
    }
  }

  private static func moment(_ value: JSONValue, _ key: String) throws(ServiceRequest.FormError) -> RecordedMoment {
    guard case .string(let text) = value.content, text.utf8.count <= 64, let moment = RecordedMoment(parsing: text)
    else {
      throw ServiceRequest.FormError(
        description: "\"\(key)\" has to be a moment, such as \"-30s\", \"12.5s\" or \"01:58:12\"")
    }
    return moment
  }

  private static func curves(_ root: JSONValue?) throws(ServiceRequest.FormError) -> CurvesRequest {
    guard case .array(let names)? = root?.member("properties")?.content, !names.isEmpty,
      names.count <= StudioLimits.curves
    else {
      throw ServiceRequest.FormError(
        description: "\"properties\" has to be a list of 1 to \(StudioLimits.curves) properties")
    }
    var points = StudioLimits.curvePoints
    if let value = root?.member("points") { points = try number(value, "points", 2...points) }
    let properties = try names.map { name throws(ServiceRequest.FormError) in try ServiceRequest.property(name) }
    let from = try root?.member("from").map { value throws(ServiceRequest.FormError) in try moment(value, "from") }
    let to = try root?.member("to").map { value throws(ServiceRequest.FormError) in try moment(value, "to") }
    return CurvesRequest(properties: properties, from: from, to: to, points: points)
  }

  private static func rows(_ root: JSONValue?) throws(ServiceRequest.FormError) -> HierarchyTable.Request {
    var request = HierarchyTable.Request(count: StudioLimits.rows)
    if let value = root?.member("search") {
      guard case .string(let text) = value.content, text.utf8.count <= StudioLimits.searchBytes else {
        throw ServiceRequest.FormError(
          description: "\"search\" has to be a text of at most \(StudioLimits.searchBytes) bytes")
      }
      request.words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }
    if let value = root?.member("first") { request.first = try number(value, "first", 0...Int(Int32.max)) }
    if let value = root?.member("count") { request.count = try number(value, "count", 1...StudioLimits.rows) }
    if let value = root?.member("target") {
      let target = try ServiceRequest.targetName(value)
      let property = try root?.member("property").map { value throws(ServiceRequest.FormError) in
        try ServiceRequest.propertyName(value)
      }
      request.selected = HierarchyTable.Selection(target, property)
    }
    return request
  }

  private static func number(
    _ value: JSONValue, _ key: String, _ range: ClosedRange<Int>
  ) throws(ServiceRequest.FormError) -> Int {
    guard case .number(let number) = value.content, let given = Int(exactly: number), range.contains(given) else {
      throw ServiceRequest.FormError(
        description: "\"\(key)\" has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return given
  }
}
