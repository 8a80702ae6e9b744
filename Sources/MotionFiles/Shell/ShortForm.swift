public import MotionModel

/// A short form of the shell: a plan for one property, in one line.
///
///     ball.position ~ 100,50                        a SpringTo
///     ball.position ~ 100,50 bounce=0.3 duration=0.5
///     lamp.opacity -> 0 in 2s                       a Tween
///     lamp.opacity -> 0 in 2s ease-out delay=100ms
///     lamp*.level ~ 1                               a SpringTo on each of these targets
///     lamp*.level ~ 0..1 stagger=100ms by=x         from target to target another destination, and a later beginning
///
/// The property is written as `target.property` or `target/property`, where a selector may stand for the target. Values and fields are not interpreted here: their
/// texts are those of `motionctl add`.
public struct ShortForm: Hashable, Sendable {
  /// A field of the plan.
  public struct Field: Hashable, Sendable {
    /// The name of the field.
    public let name: String
    /// The value as it was written.
    public let text: String
    /// The column at which the value, or `name=`, begins.
    public let column: Int
  }

  /// The operator of a short form.
  public enum Operator: String, CaseIterable, Sendable {
    /// A SpringTo.
    case spring = "~"
    /// A Tween.
    case tween = "->"

    /// The type of the plan.
    public var type: IntentionType { self == .spring ? "SpringTo" : "Tween" }
    /// The field of the value that follows the operator.
    public var destination: String { self == .spring ? "destination" : "to" }
  }

  /// The operator.
  public let `operator`: Operator
  /// The targets of the plan.
  public let targets: TargetSelector
  /// The property of each that the plan moves.
  public let property: PropertyName
  /// The column at which the property begins.
  public let placeColumn: Int
  /// The fields, besides `property`, in the order in which they were written.
  public private(set) var fields: [Field] = []

  /// The type of the plan.
  public var type: IntentionType { self.operator.type }

  /// The fields that are not of the plan, but tell how the plans of several targets differ.
  public static let spreadFields = ["stagger", "by"]

  /// The column of a field's value; the beginning of the line for fields that are not written.
  public func column(of field: String?) -> Int { fields.first { $0.name == field }?.column ?? placeColumn }

  /// Reads a line.
  ///
  /// - Returns: `nil` if the line is no short form: it begins with no name that an operator follows.
  /// - Throws: ``ShellLineError`` with the column of the first mistake.
  public static func parse(_ line: String) throws(ShellLineError) -> ShortForm? {
    guard let head = ShortFormHead(line) else { return nil }
    guard let form = Operator(rawValue: head.operator) else {
      throw ShellLineError(
        head.operatorColumn, "\"\(head.operator)\" is no short form",
        remedy: "write \(head.place) ~ VALUE for a spring, or \(head.place) -> VALUE in DURATION for a tween")
    }
    return try ShortForm(form, head)
  }

  private init(_ form: Operator, _ head: ShortFormHead) throws(ShellLineError) {
    self.operator = form
    placeColumn = head.placeColumn
    (targets, property) = try Self.place(head.place, at: head.placeColumn)
    var words = try ShellWords(head.rest.unicodeScalars, from: head.restColumn, .join).words[...]
    guard let value = words.popFirst(), form == .spring || value.text != "in" else {
      throw ShellLineError(
        head.restColumn, "there is no value after \"\(form.rawValue)\"", remedy: "write a number, or several as 100,50")
    }
    add(form.destination, value.text, at: value.column)
    if form == .tween { try readTiming(&words) }
    for word in words { try readField(word) }
  }

  /// Reads `in DURATION` and an easing, both optional.
  private mutating func readTiming(_ words: inout ArraySlice<ShellWords.Part>) throws(ShellLineError) {
    if let word = words.first, word.text == "in" {
      words.removeFirst()
      guard let duration = words.popFirst() else {
        throw ShellLineError(
          word.column + 2, "there is no duration after \"in\"", remedy: "write one such as 300ms or 2s")
      }
      add("duration", duration.text, at: duration.column)
    }
    if let word = words.first, !word.text.contains("=") {
      words.removeFirst()
      add("easing", word.text, at: word.column)
    }
  }

  private mutating func readField(_ word: ShellWords.Part) throws(ShellLineError) {
    guard let equals = word.text.firstIndex(of: "="), equals > word.text.startIndex else {
      throw ShellLineError(
        word.column, "\"\(ShownText.cut(word.text, toBytes: 64))\" is no field",
        remedy: "write field=value, and vectors without spaces: 100,50")
    }
    let name = String(word.text[..<equals])
    if name == "property" {
      throw ShellLineError(word.column, "the property is written before the operator", remedy: "omit property=")
    }
    guard !fields.contains(where: { $0.name == name }) else {
      throw ShellLineError(word.column, "the field \"\(ShownText.cut(name, toBytes: 64))\" is given twice")
    }
    add(name, String(word.text[word.text.index(after: equals)...]), at: word.column)
  }

  private mutating func add(_ name: String, _ text: String, at column: Int) {
    fields.append(Field(name: name, text: text, column: column))
  }

  /// The property of a text `target.property` or `target/property`. Targets may have dots, properties have none.
  public static func property(_ text: String) throws(ShellLineError) -> PropertyReference {
    let (targets, property) = try place(text, at: 1)
    guard let target = targets.name else {
      throw ShellLineError(1, "\"\(targets)\" is not one target", remedy: "name one target")
    }
    return PropertyReference(target, property)
  }

  /// The same of several targets.
  private static func place(
    _ text: String, at column: Int
  ) throws(ShellLineError) -> (targets: TargetSelector, property: PropertyName) {
    guard let separator = text.firstIndex(of: "/") ?? text.lastIndex(of: ".") else {
      throw ShellLineError(
        column, "\"\(text)\" has no property", remedy: "write target.property, such as ball.position")
    }
    let property = text[text.index(after: separator)...]
    let targets: TargetSelector
    do {
      targets = try TargetSelector(String(text[..<separator]))
    } catch {
      throw ShellLineError(column, error.description)
    }
    do {
      return (targets, try PropertyName(String(property)))
    } catch {
      throw ShellLineError(column + text.unicodeScalars.count - property.unicodeScalars.count, error.description)
    }
  }
}

/// The beginning of a line that may be a short form: a name, an operator, and the rest.
public struct ShortFormHead: Sendable {
  /// The name before the operator.
  public let place: String
  /// The column of the name.
  public let placeColumn: Int
  /// The operator: `~`, `->` or `=`.
  public let `operator`: String
  /// The column of the operator.
  public let operatorColumn: Int
  /// The text behind the operator.
  public let rest: String
  /// The column at which the rest begins.
  let restColumn: Int

  /// Reads the beginning of a line; `nil` if no operator follows its first word.
  public init?(_ line: String) {
    let scalars = Array(line.unicodeScalars)
    let start = scalars.firstIndex { !Self.isSpace($0) } ?? scalars.count
    var end = start
    while end < scalars.count, Self.isOfName(scalars[end]), !Self.beginsArrow(scalars[end...]) { end += 1 }
    let sign = scalars[end...].firstIndex { !Self.isSpace($0) } ?? scalars.count
    guard end > start, sign < scalars.count else { return nil }
    let text: String
    if Self.beginsArrow(scalars[sign...]) {
      text = "->"
    } else if scalars[sign] == "~" || scalars[sign] == "=" {
      text = String(Character(scalars[sign]))
    } else {
      return nil
    }
    (place, placeColumn) = (Self.text(scalars[start..<end]), start + 1)
    (self.operator, operatorColumn) = (text, sign + 1)
    let rest = sign + text.unicodeScalars.count
    (self.rest, restColumn) = (Self.text(scalars[rest...]), rest + 1)
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  /// Whether a scalar belongs to the name before an operator; the names themselves are checked later.
  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    !isSpace(scalar) && scalar != "~" && scalar != "=" && scalar != "#" && scalar != "'" && scalar != "\""
  }

  private static func beginsArrow(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    scalars.starts(with: ["-", ">"])
  }
}
