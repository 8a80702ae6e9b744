/// An error in a file, with its position and a remedy.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name, as it was given.
  public var file: String
  /// The position in the file.
  public var position: TextPosition
  /// The index of the operation, from 0, in a transaction file.
  public var operation: Int?
  /// The field that caused the error, if any.
  public var field: String?
  /// The error, for people, in one sentence.
  public var message: String
  /// The remedy, in one sentence; may be empty.
  public var remedy: String

  /// Creates an error at a position.
  public init(
    file: String, position: TextPosition, operation: Int? = nil, field: String? = nil, message: String,
    remedy: String = ""
  ) {
    self.file = file
    self.position = position
    self.operation = operation
    self.field = field
    self.message = message
    self.remedy = remedy
  }

  /// `show.json:12:7: operation 3, field "durtion": Tween has no such field. Did you mean "duration"?`
  public var description: String {
    let place = [operation.map { "operation \($0)" }, field.map { "field \"\($0)\"" }].compactMap { $0 }
    return "\(file):\(position): " + (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + message
      + (remedy.isEmpty ? "" : ". \(remedy)")
  }
}

/// All errors in a file, in order of discovery, up to ``/MotionModel/Limits/fileErrors``; at least one error.
public struct FileErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// The errors.
  public let errors: [FileError]

  /// The text of each error, one per line.
  public var description: String { errors.map(\.description).joined(separator: "\n") }

  init(_ errors: [FileError]) {
    precondition(!errors.isEmpty, "a refusal without an error")
    self.errors = errors
  }
}
