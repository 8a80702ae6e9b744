import MotionModel

/// A line of text with subtrees, drawn with branches.
struct Tree {
  /// The text of this node.
  let text: String
  /// Further lines of this node, indented below its text.
  let more: [String]
  /// The subtrees.
  var branches: [Tree]

  /// Makes a node with its subtrees.
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
  /// The text on one line, with control characters escaped.
  var shownOnOneLine: String { ShownText.escaping(self).replacing("\n", with: "\\n") }
}
