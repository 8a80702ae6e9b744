/// Generates SVG elements.
enum SVGText {
  /// The style sheet with the colours. The colours of lanes are distinguishable with red-green colour blindness. Their
  /// contrast with the background is at least 3 : 1, on both backgrounds.
  static let style = """
    <style>
    .ground{fill:#fff}.title{font-size:14px;font-weight:600;fill:#111827}.name{font-weight:600;fill:#111827}
    .axis{fill:#4b5563}.grid{stroke:#e5e7eb}.frame{fill:none;stroke:#9ca3af}.curve{fill:none;stroke-width:1.8;\
    stroke-linejoin:round}
    .mark{stroke:#be123c;stroke-dasharray:4 3}.label{fill:#be123c}.over{paint-order:stroke;stroke:#fff;stroke-width:4;\
    stroke-linejoin:round}
    .l0{stroke:#2563eb}.l1{stroke:#c2410c}.l2{stroke:#047857}.l3{stroke:#7e22ce}
    @media (prefers-color-scheme:dark){.ground{fill:#0d1117}.title,.name{fill:#f3f4f6}.axis{fill:#9ca3af}\
    .grid{stroke:#21262d}.frame{stroke:#6b7280}.mark{stroke:#fb7185}.label{fill:#fb7185}.over{stroke:#0d1117}
    .l0{stroke:#60a5fa}.l1{stroke:#fb923c}.l2{stroke:#34d399}.l3{stroke:#c084fc}}
    </style>
    """

  /// Returns an element that contains text. Its attributes are in alphabetical order, so that equal elements have equal
  /// text.
  static func element(_ name: String, _ text: String, _ attributes: [String: String]) -> String {
    let list = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    return text.isEmpty ? "<\(name)\(list)/>" : "<\(name)\(list)>\(escaped(text))</\(name)>"
  }

  /// Returns a straight line.
  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class style: String) -> String {
    element(
      "line",
      [
        "class": style, "x1": DecimalText.place(x1), "y1": DecimalText.place(y1), "x2": DecimalText.place(x2),
        "y2": DecimalText.place(y2),
      ])
  }

  /// Returns text at a position; `anchor` is `start`, `middle` or `end`.
  static func text(
    _ text: String, _ x: Double, _ y: Double, class style: String, anchor: String = "start"
  ) -> String {
    element(
      "text", text, ["class": style, "x": DecimalText.place(x), "y": DecimalText.place(y), "text-anchor": anchor])
  }

  /// Returns the text with XML escapes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  private static func element(_ name: String, _ attributes: [String: String]) -> String {
    element(name, "", attributes)
  }
}
