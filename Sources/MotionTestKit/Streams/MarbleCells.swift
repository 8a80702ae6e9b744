/// The events in each frame of a line.
struct MarbleCells {
  private(set) var cells: [[Character]] = []

  /// Reads a line: a character for each frame, `-` for none, several in parentheses.
  init(_ line: String) {
    var group: [Character]?
    for character in line {
      switch character {
      case "(": group = []
      case ")":
        cells.append(group ?? [])
        group = nil
      case _ where group != nil: group?.append(character)
      case "-": cells.append([])
      default: cells.append([character])
      }
    }
  }

  var count: Int { cells.count }

  subscript(frame: Int) -> [Character] { cells.indices.contains(frame) ? cells[frame] : [] }
}

/// A line that is being drawn: the values or states, frame by frame.
final class MarbleTrack {
  private(set) var frames: [Int: [String]] = [:]

  init() {}

  init(_ cells: MarbleCells) {
    for frame in 0..<cells.count where !cells[frame].isEmpty { frames[frame] = cells[frame].map { String($0) } }
  }

  func note(_ text: String, at frame: Int) { frames[frame, default: []].append(text) }

  var isEmpty: Bool { frames.isEmpty }
  /// Whether any text in it is longer than a character.
  var isWide: Bool { frames.values.contains { $0.contains { $0.count > 1 } } }

  /// The width of its widest frame.
  var width: Int { frames.keys.map { cell($0).count }.max() ?? 1 }

  /// The line; each frame is padded to `width`, if it is given.
  func line(count: Int, width: Int?) -> String {
    guard let width else { return (0..<count).map(cell).joined() }
    var text = (0..<count).map { frame in
      let cell = cell(frame)
      return cell + String(repeating: " ", count: max(0, width - cell.count))
    }.joined(separator: " ")
    while text.last == " " { text.removeLast() }
    return text
  }

  private func cell(_ frame: Int) -> String {
    let texts = frames[frame] ?? []
    switch texts.count {
    case 0: return "-"
    case 1: return texts[0]
    default: return "(" + texts.joined(separator: texts.allSatisfy { $0.count == 1 } ? "" : " ") + ")"
    }
  }
}
