public import MotionModel

/// A line of input values: a JSON object whose keys are the names of inputs.
///
///     {"fader.1": 0.3, "tracker": [0.1, 2, 1.5], "fader.2": null}
///
/// A number or a list of 1 to 4 numbers is a value; `null` withdraws the name.
public struct InputValueLine: Hashable, Sendable {
  /// The bytes that a line may have: a value for each name.
  public static let limit = 1 << 18

  /// The values, in the order of the line.
  public var values: [InputValue]

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: the line, of at most ``limit`` bytes.
  ///   - number: its number from 1, for the errors.
  ///   - name: the name of its file, for the errors.
  ///   - isHeld: whether the values stay when their client is gone.
  /// - Throws: ``FileErrors`` with line, column, field and remedy.
  public init(
    _ line: [UInt8], number: Int, named name: String, isHeld: Bool = false
  ) throws(FileErrors) {
    var errors: [FileError]
    values = []
    do {
      var reader = try FileReader(line, named: name, limit: Self.limit)
      values = Self.values(&reader, isHeld: isHeld)
      errors = reader.errors
    } catch {
      errors = error.errors
    }
    guard !errors.isEmpty else { return }
    for index in errors.indices {
      errors[index].position = TextPosition(line: number, column: errors[index].position.column)
    }
    throw FileErrors(errors)
  }

  private static func values(_ reader: inout FileReader, isHeld: Bool) -> [InputValue] {
    guard case .object(let members) = reader.root.content, !members.isEmpty else {
      reader.report(
        "\(reader.root.inWords) is not accepted here", "Use an object of values, as in {\"fader.1\": 0.3}.",
        at: reader.root.offset)
      return []
    }
    guard members.count <= Limits.inputValues else {
      reader.report(
        "\(members.count) values are too many", "Use at most \(Limits.inputValues) in a line.", at: reader.root.offset)
      return []
    }
    var values: [InputValue] = []
    for member in members where !reader.isFull {
      do throws(NameError) {
        let name = try InputName(member.key)
        guard let lanes = lanes(member.value, of: name, &reader) else { continue }
        values.append(InputValue(name, lanes.value, isHeld: isHeld))
      } catch {
        reader.report(error.description, at: member.keyOffset)
      }
    }
    return values
  }

  /// The value of a member; `nil` after an error.
  private static func lanes(
    _ json: JSONValue, of name: InputName, _ reader: inout FileReader
  ) -> (value: Lanes?, Void)? {
    switch json.content {
    case .null: return (nil, ())
    case .number(let number): return check(Lanes(number), json, of: name, &reader)
    case .array(let elements):
      let numbers = elements.compactMap { if case .number(let number) = $0.content { number } else { nil } }
      guard numbers.count == elements.count, let lanes = Lanes(numbers) else { break }
      return check(lanes, json, of: name, &reader)
    default: break
    }
    reader.report(
      "\(json.inWords) is not accepted here", "Use a number, a list of 1 to \(Limits.lanes) numbers, or null.",
      field: name.text, at: json.offset)
    return nil
  }

  private static func check(
    _ lanes: Lanes, _ json: JSONValue, of name: InputName, _ reader: inout FileReader
  ) -> (value: Lanes?, Void)? {
    guard !lanes.isWithin(Limits.magnitude) else { return (lanes, ()) }
    reader.report(
      "\(lanes) is out of range", "Use numbers from -\(Limits.magnitude) to \(Limits.magnitude).", field: name.text,
      at: json.offset)
    return nil
  }
}
