extension TimingFunction {
  /// The largest text, in bytes, that is read; a longer one is rejected unread.
  public static let largestTextLength = 1 << 20

  /// Creates the timing function that a CSS text names.
  ///
  /// Accepted are `linear`, `ease`, `ease-in`, `ease-out`, `ease-in-out`, `cubic-bezier(x1, y1, x2, y2)`, `step-start`,
  /// `step-end`, `steps(n)`, `steps(n, jump-start | jump-end | jump-none | jump-both | start | end)` and `linear(0, 0.5
  /// 30%, 1)`, in upper or lower case. ``description`` writes such a text.
  ///
  /// Throws an error with the column, the problem and the remedy.
  public init(parsing text: String) throws(TimingFunctionError) {
    guard text.utf8.count <= Self.largestTextLength else {
      throw TimingFunctionError(
        "a timing function of \(text.utf8.count) bytes", remedy: "give at most \(Self.largestTextLength)")
    }
    var scanner = TimingScanner(text)
    let name = try scanner.name()
    if scanner.skip("(") {
      self = try Self.call(name, &scanner)
    } else {
      self = try Self.keyword(name)
    }
    try scanner.end()
  }

  private static let forms = """
    write linear, ease, ease-in, ease-out, ease-in-out, step-start, step-end, cubic-bezier(x1, y1, x2, y2), \
    steps(count, jump-end) or linear(0, 0.5 30%, 1)
    """

  private static func keyword(_ name: TimingScanner.Name) throws(TimingFunctionError) -> TimingFunction {
    switch name.text {
    case "linear": return .linear
    case "ease": return .ease
    case "ease-in": return .easeIn
    case "ease-out": return .easeOut
    case "ease-in-out": return .easeInOut
    case "step-start": return try .steps(1, .start)
    case "step-end": return try .steps(1, .end)
    case "cubic-bezier", "steps":
      throw TimingFunctionError(
        column: name.column + name.text.count, "\(name.text) without its numbers",
        remedy: name.text == "steps" ? "write steps(count, jump-end)" : "write cubic-bezier(x1, y1, x2, y2)")
    default:
      throw TimingFunctionError(column: name.column, "no timing function is called '\(name.text)'", remedy: forms)
    }
  }

  private static func call(
    _ name: TimingScanner.Name, _ scanner: inout TimingScanner
  ) throws(TimingFunctionError) -> TimingFunction {
    switch name.text {
    case "cubic-bezier": return try cubicBezier(&scanner, column: name.column)
    case "steps": return try steps(&scanner, column: name.column)
    case "linear": return try lines(&scanner, column: name.column)
    case "ease", "ease-in", "ease-out", "ease-in-out", "step-start", "step-end":
      throw TimingFunctionError(
        column: name.column + name.text.count, "\(name.text) takes no numbers", remedy: "write \(name.text) alone")
    default:
      throw TimingFunctionError(column: name.column, "no timing function is called '\(name.text)'", remedy: forms)
    }
  }

  private static func cubicBezier(
    _ scanner: inout TimingScanner, column: Int
  ) throws(TimingFunctionError) -> TimingFunction {
    var numbers: [Double] = []
    let remedy = "write cubic-bezier(x1, y1, x2, y2)"
    repeat {
      let number = try scanner.number(remedy: remedy)
      // 0 and 2 are the x1 and x2, the only ones with a range of their own that depends on nothing else.
      if numbers.count % 2 == 0, !(0...1).contains(number.value) {
        throw TimingFunctionError(
          column: number.column, "\(numbers.isEmpty ? "x1" : "x2") of a cubic-bezier is \(number.value)",
          remedy: "give a number from 0 to 1")
      }
      numbers.append(number.value)
    } while numbers.count < 4 && scanner.skip(",")
    guard numbers.count == 4 else {
      throw TimingFunctionError(
        column: scanner.column, "a cubic-bezier of \(numbers.count) numbers", remedy: remedy)
    }
    try scanner.expect(")", remedy: "a cubic-bezier has four numbers: close it with ')'")
    do {
      return try .cubicBezier(numbers[0], numbers[1], numbers[2], numbers[3])
    } catch {
      throw error.at(column: column)
    }
  }

  private static func steps(
    _ scanner: inout TimingScanner, column: Int
  ) throws(TimingFunctionError) -> TimingFunction {
    let count = try scanner.number(remedy: "write steps(count, jump-end)")
    guard let whole = Int(exactly: count.value) else {
      throw TimingFunctionError(
        column: count.column, "\(count.value) steps",
        remedy: "give a whole number from 1 to \(StepTiming.largestCount)")
    }
    var position = StepTiming.Position.end
    if scanner.skip(",") { position = try stepPosition(&scanner) }
    try scanner.expect(")", remedy: "close it with ')'")
    do {
      return try .steps(whole, position)
    } catch {
      throw error.at(column: count.column)
    }
  }

  private static func stepPosition(_ scanner: inout TimingScanner) throws(TimingFunctionError) -> StepTiming.Position {
    let word = try scanner.name()
    switch word.text {
    case "start": return .start
    case "end": return .end
    default:
      guard let position = StepTiming.Position(rawValue: word.text) else {
        throw TimingFunctionError(
          column: word.column, "steps cannot jump '\(word.text)'",
          remedy: "write jump-start, jump-end, jump-none or jump-both")
      }
      return position
    }
  }

  private static func lines(
    _ scanner: inout TimingScanner, column: Int
  ) throws(TimingFunctionError) -> TimingFunction {
    var stops: [LinearStop] = []
    repeat {
      guard stops.count < PiecewiseLinear.largestCount else {
        throw TimingFunctionError(
          column: scanner.column, "linear() of too many points", remedy: "give at most \(PiecewiseLinear.largestCount)")
      }
      try LinearStop.scan(&scanner, into: &stops)
    } while scanner.skip(",")
    try scanner.expect(")", remedy: "separate points with ',' and close with ')'")
    do {
      return try .piecewiseLinear(LinearStop.resolve(stops))
    } catch {
      throw error.at(column: column)
    }
  }
}

/// A point of `linear()` as it is written: the input may be left out.
private struct LinearStop {
  var input: Double?
  var output: Double

  /// Reads one stop: a number, with up to two percentages before or after it.
  ///
  /// Two percentages make two points.
  static func scan(_ scanner: inout TimingScanner, into stops: inout [LinearStop]) throws(TimingFunctionError) {
    let remedy = "write a number and, if you like, one or two percentages, such as 0.5 30%"
    let column = scanner.column
    var output: Double?
    var inputs: [Double] = []
    repeat {
      let number = try scanner.number(remedy: remedy)
      if scanner.skipAdjacent("%") {
        inputs.append(number.value / 100)
      } else if output == nil {
        output = number.value
      } else {
        throw TimingFunctionError(column: number.column, "a second number without ','", remedy: remedy)
      }
    } while scanner.isAtNumber
    guard let output, inputs.count <= 2 else {
      throw TimingFunctionError(
        column: column, output == nil ? "a point of linear() without a number" : "\(inputs.count) percentages",
        remedy: remedy)
    }
    guard !inputs.isEmpty else {
      stops.append(LinearStop(input: nil, output: output))
      return
    }
    stops += inputs.map { LinearStop(input: $0, output: output) }
  }

  /// Returns the points with the omitted inputs filled in by the rules of CSS: 0 and 1 at the ends, no input below an
  /// earlier one, and evenly spread in between.
  static func resolve(_ stops: [LinearStop]) -> [PiecewiseLinear.Point] {
    guard !stops.isEmpty else { return [] }
    var inputs = stops.map(\.input)
    inputs[0] = inputs[0] ?? 0
    var largest = -Double.infinity
    for index in inputs.indices {
      if index == inputs.count - 1, inputs[index] == nil { inputs[index] = 1 }
      guard let input = inputs[index] else { continue }
      largest = max(largest, input)
      inputs[index] = largest
    }
    var points: [PiecewiseLinear.Point] = []
    points.reserveCapacity(stops.count)
    var index = 0
    while index < inputs.count {
      if let input = inputs[index] {
        points.append(.init(input: input, output: stops[index].output))
        index += 1
        continue
      }
      let next = inputs[index...].firstIndex { $0 != nil } ?? index
      let from = points.last?.input ?? 0
      let to = inputs[next] ?? 1
      let gaps = Double(next - index + 1)
      for missing in index..<next {
        let share = Double(missing - index + 1) / gaps
        points.append(.init(input: from + (to - from) * share, output: stops[missing].output))
      }
      index = next
    }
    return points
  }
}
