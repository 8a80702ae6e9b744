/// A pattern for names of targets, such as `lamp{1..12}` or `lamp*`.
package struct TargetPattern: Hashable, Sendable {
  /// A part of a pattern.
  enum Piece: Hashable, Sendable {
    /// These bytes.
    case literal([UInt8])
    /// Any text: `*`.
    case anyText
    /// Any character: `?`.
    case anyCharacter
    /// One of these: `{a,b}`.
    case words([[UInt8]])
    /// A whole number, padded with zeros to a width: `{01..12}`.
    case numbers(ClosedRange<Int>, width: Int)
  }

  let pieces: [Piece]

  /// Whether it stands for targets that exist; otherwise it stands for names, and ``name(at:)`` makes them.
  package var isOpen: Bool { pieces.contains { $0 == .anyText || $0 == .anyCharacter } }

  /// The text with which all names begin that it stands for.
  var beginning: String {
    if case .literal(let bytes)? = pieces.first { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  /// How many names a pattern without `*` and `?` stands for; `Int.max` for more than can be counted.
  package var count: Int {
    pieces.reduce(1) { product, piece in
      let (result, overflow) = product.multipliedReportingOverflow(by: piece.count)
      return overflow ? .max : result
    }
  }

  /// Reads a pattern.
  package init(_ text: String) throws(TargetSelectorError) {
    var reader = PatternReader(text)
    pieces = try reader.read()
  }

  // MARK: Names

  /// The name at an index below ``count``; `nil` if the choices there make no name. Of the choices of the last braces, the
  /// next index has the next one.
  package func name(at index: Int) -> TargetName? {
    var (index, parts) = (index, [[UInt8]]())
    for piece in pieces.reversed() {
      let choice = index % piece.count
      index /= piece.count
      switch piece {
      case .literal(let bytes): parts.append(bytes)
      case .words(let words): parts.append(words[choice])
      case .numbers(let range, let width): parts.append(Array(Self.text(of: range.lowerBound + choice, width).utf8))
      case .anyText, .anyCharacter: return nil
      }
    }
    return try? TargetName(String(decoding: parts.reversed().joined(), as: UTF8.self))
  }

  fileprivate static func text(of number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  // MARK: Matching

  /// Whether a name matches. Linear in the name for a pattern with one `*`; at most the product of both lengths.
  package func matches(_ name: TargetName) -> Bool {
    var text = name.text
    return text.withUTF8 { matches($0) }
  }

  private func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    // Most names differ in the first literal, and most patterns are `lamp*`.
    var start = 0
    var rest = pieces[...]
    if case .literal(let bytes)? = rest.first {
      guard name.count >= bytes.count, zip(bytes, name).allSatisfy(==) else { return false }
      (start, rest) = (bytes.count, rest.dropFirst())
    }
    if rest.count == 1, rest.first == .anyText { return true }
    var places = NamePlaces(start)
    for piece in rest where !places.isEmpty { places = Self.ends(of: piece, from: places, in: name) }
    return places.contains(name.count)
  }

  /// Where a piece may end that begins at one of these places.
  private static func ends(
    of piece: Piece, from starts: NamePlaces, in name: UnsafeBufferPointer<UInt8>
  ) -> NamePlaces {
    var ends = NamePlaces()
    switch piece {
    case .anyText: ends.insert((starts.first ?? name.count)...name.count)
    case .anyCharacter: starts.forEach { if $0 < name.count { ends.insert($0 + 1) } }
    case .literal(let bytes): starts.forEach { if let end = end(of: bytes, from: $0, in: name) { ends.insert(end) } }
    case .words(let words):
      starts.forEach { start in
        for word in words { if let end = end(of: word, from: start, in: name) { ends.insert(end) } }
      }
    case .numbers(let range, let width):
      starts.forEach { insertEnds(of: range, width, from: $0, in: name, &ends) }
    }
    return ends
  }

  private static func end(of bytes: [UInt8], from start: Int, in name: UnsafeBufferPointer<UInt8>) -> Int? {
    guard start + bytes.count <= name.count else { return nil }
    for index in bytes.indices where name[start + index] != bytes[index] { return nil }
    return start + bytes.count
  }

  private static func insertEnds(
    of range: ClosedRange<Int>, _ width: Int, from start: Int, in name: UnsafeBufferPointer<UInt8>,
    _ ends: inout NamePlaces
  ) {
    var (number, end) = (0, start)
    while end < name.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name[end]), number <= range.upperBound {
      number = number * 10 + Int(name[end] - UInt8(ascii: "0"))
      end += 1
      // `5` is no spelling of {01..12}, and `05` none of {1..12}.
      let isSpelled = end - start == max(width, digits(of: number))
      if range.contains(number), isSpelled { ends.insert(end) }
    }
  }

  private static func digits(of number: Int) -> Int {
    var (digits, rest) = (1, number / 10)
    while rest > 0 { (digits, rest) = (digits + 1, rest / 10) }
    return digits
  }
}

/// Some of the places in a name, of which there are at most 129.
private struct NamePlaces {
  private var bits = SIMD4<UInt64>()

  init() {}
  init(_ place: Int) { insert(place) }

  var isEmpty: Bool { bits == .zero }

  var first: Int? {
    for word in 0..<4 where bits[word] != 0 { return word * 64 + bits[word].trailingZeroBitCount }
    return nil
  }

  func contains(_ place: Int) -> Bool { bits[place / 64] >> UInt64(place % 64) & 1 == 1 }

  mutating func insert(_ place: Int) { bits[place / 64] |= 1 << UInt64(place % 64) }

  mutating func insert(_ range: ClosedRange<Int>) { for place in range { insert(place) } }

  func forEach(_ body: (Int) -> Void) {
    for word in 0..<4 {
      var rest = bits[word]
      while rest != 0 {
        body(word * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}

extension TargetPattern.Piece {
  fileprivate var count: Int {
    switch self {
    case .literal, .anyText, .anyCharacter: 1
    case .words(let words): words.count
    case .numbers(let range, _): range.count
    }
  }

  /// The most bytes that it stands for; 0 for `*`.
  fileprivate var longest: Int {
    switch self {
    case .literal(let bytes): bytes.count
    case .anyText: 0
    case .anyCharacter: 1
    case .words(let words): words.map(\.count).max() ?? 0
    case .numbers(let range, let width): max(width, String(range.upperBound).utf8.count)
    }
  }
}

/// Reads a pattern.
private struct PatternReader {
  private let text: String
  private var rest: Substring.UTF8View
  private var pieces: [TargetPattern.Piece] = []
  private var literal: [UInt8] = []

  init(_ text: String) {
    self.text = text
    rest = text.utf8[...]
  }

  mutating func read() throws(TargetSelectorError) -> [TargetPattern.Piece] {
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        endLiteral()
        if pieces.last != .anyText { pieces.append(.anyText) }
      case UInt8(ascii: "?"):
        endLiteral()
        pieces.append(.anyCharacter)
      case UInt8(ascii: "{"):
        endLiteral()
        pieces.append(try braces())
      case let byte where Self.isAllowed(byte): literal.append(byte)
      default: throw error(TargetSelector.rule)
      }
    }
    endLiteral()
    guard !pieces.isEmpty else { throw error(TargetSelector.rule) }
    // More than that matches no name, and would be a name of a target that no target can have.
    guard pieces.reduce(0, { $0 + $1.longest }) <= Limits.targetNameBytes,
      pieces.count <= 2 * Limits.targetNameBytes + 1
    else {
      throw error("a target name has at most \(Limits.targetNameBytes) characters")
    }
    return pieces
  }

  private mutating func endLiteral() {
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    literal = []
  }

  private mutating func braces() throws(TargetSelectorError) -> TargetPattern.Piece {
    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { throw error("a } is missing") }
    let content = Array(rest[..<end])
    rest = rest[rest.index(after: end)...]
    if let range = try numbers(content) { return range }
    let words = content.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Array.init)
    guard words.count > 1 || content.contains(UInt8(ascii: ",")) else {
      throw error("braces contain a range such as {1..12}, or words such as {left,right}")
    }
    guard words.allSatisfy({ $0.allSatisfy(Self.isAllowed) }) else {
      throw error("words in braces are parts of target names: \(TargetNameRule.rule)")
    }
    return .words(words)
  }

  /// The range in braces; `nil` if they contain words.
  private func numbers(_ content: [UInt8]) throws(TargetSelectorError) -> TargetPattern.Piece? {
    let text = String(decoding: content, as: UTF8.self)
    guard let dots = text.firstRange(of: "..") else { return nil }
    let bounds = [String(text[..<dots.lowerBound]), String(text[dots.upperBound...])]
    let numbers = bounds.compactMap { bound in
      bound.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        && (1...9).contains(bound.utf8.count)
        ? Int(bound) : nil
    }
    guard numbers.count == 2 else { throw error("a range is two whole numbers below 1000000000, such as {1..12}") }
    // As in a shell: a zero in front of either bound gives all numbers the same width.
    let isPadded = bounds.contains { $0.utf8.count > 1 && $0.hasPrefix("0") }
    let width = isPadded ? bounds.map(\.utf8.count).max() ?? 0 : 0
    return .numbers(min(numbers[0], numbers[1])...max(numbers[0], numbers[1]), width: width)
  }

  private func error(_ rule: String) -> TargetSelectorError { TargetSelectorError(text, rule) }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    TargetNameRule.accepts(String(decoding: CollectionOfOne(byte), as: UTF8.self).utf8)
  }
}
