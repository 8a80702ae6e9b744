/// Blanks out everything in Swift source except code: comments, which nest, and string literals, which may contain code
/// again.
///
/// Regular expression literals count as code; none of ours contains a quotation mark.
struct CodeScanner {
  private let source: [UInt8]
  private var output: [UInt8] = []
  private var position = 0

  init(_ text: String) { source = Array(text.utf8) }

  /// The code alone, every other character a blank; line ends stay where they were.
  mutating func code() -> String {
    output.reserveCapacity(source.count)
    scanCode(insideText: false)
    return String(decoding: output, as: UTF8.self)
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < source.count ? source[position + offset] : nil
  }

  private func sees(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= source.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { source[position + $0] == text.utf8Start[$0] }
  }

  private mutating func keep(_ count: Int = 1) {
    output += source[position..<min(position + count, source.count)]
    position += count
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      output.append(source[position] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
      position += 1
    }
  }

  /// Keeps code up to the file's end or, inside a string literal, to the parenthesis that ends the interpolation.
  private mutating func scanCode(insideText: Bool) {
    var depth = 0
    while let byte = peek() {
      if sees("//") {
        while let next = peek(), next != UInt8(ascii: "\n") { blank() }
      } else if sees("/*") {
        scanComment()
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"), let pounds = opensText() {
        scanText(pounds: pounds)
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          if insideText, depth == 0 { return }
          depth -= 1
        }
        keep()
      }
    }
  }

  private mutating func scanComment() {
    var depth = 0
    repeat {
      if sees("/*") {
        depth += 1
        blank(2)
      } else if sees("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && position < source.count
  }

  /// The number of number signs that open the string literal that begins here; `nil` when none begins.
  private func opensText() -> Int? {
    var pounds = 0
    while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
    return peek(pounds) == UInt8(ascii: "\"") ? pounds : nil
  }

  private func pounds(_ count: Int, after offset: Int) -> Bool {
    (0..<count).allSatisfy { peek(offset + $0) == UInt8(ascii: "#") }
  }

  private mutating func scanText(pounds count: Int) {
    blank(count)
    let quotes = sees("\"\"\"") ? 3 : 1
    keep(quotes)
    while let byte = peek() {
      if byte == UInt8(ascii: "\\"), pounds(count, after: 1) {
        let isInterpolation = peek(1 + count) == UInt8(ascii: "(")
        blank(2 + count)
        guard isInterpolation else { continue }
        scanCode(insideText: true)
        blank()
      } else if quotes == 3 ? sees("\"\"\"") : byte == UInt8(ascii: "\""), pounds(count, after: quotes) {
        keep(quotes)
        blank(count)
        return
      } else {
        blank()
      }
    }
  }
}
