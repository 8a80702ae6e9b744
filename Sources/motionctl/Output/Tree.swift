import MotionModel

/// Lines under lines, joined by branches.
struct Tree {
  /// What stands at the branch.
  let text: String
  /// What goes on below that, further in: lines that belong to it.
  let more: [String]
  /// What hangs below.
  var branches: [Tree]

  /// A line with what hangs below it.
  init(_ text: String, more: [String] = [], _ branches: [Tree] = []) {
    self.text = text
    self.more = more
    self.branches = branches
  }

  /// The lines, the first flush left.
  var lines: [String] {
    let trunk = branches.isEmpty ? "" : "│ "
    var lines = [text] + more.map { trunk + "  " + $0 }
    for (index, branch) in branches.enumerated() {
      let isLast = index == branches.count - 1
      for (line, text) in branch.lines.enumerated() {
        let stem = line == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")
        lines.append((stem + text).trimmingSpacesAtEnd)
      }
    }
    return lines
  }
}

extension String {
  /// The text on one line, with nothing in it that would steer a terminal.
  var shownOnOneLine: String { ShownText.escaping(self).replacing("\n", with: "\\n") }
}
