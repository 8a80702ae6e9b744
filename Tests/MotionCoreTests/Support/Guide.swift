import Glibc
import Testing

/// Documents that show code, and the files in which that code is compiled.
enum Guide {
  /// The code blocks of a document in one language, in order.
  static func blocks(of document: String, in language: String = "swift") throws -> [String] {
    parts(of: try text(of: document), after: "```\(language)\n", before: "```")
  }

  /// The parts of a source file that a document shows, in order, without the columns by which they are indented.
  static func parts(of source: String, indentedBy columns: Int = 0) throws -> [String] {
    let margin = String(repeating: " ", count: columns)
    return parts(
      of: try text(of: source), after: "\n\(margin)// guide begins\n", before: "\(margin)// guide ends\n"
    ).map { String(("\n" + $0).replacing("\n" + margin, with: "\n").dropFirst()) }
  }

  /// A file of the repository, by its path from the root.
  static func text(of path: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let file = try #require(fopen("/\(root)/\(path)", "r"), "\(path) cannot be read")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func parts(of text: String, after start: String, before end: String) -> [String] {
    var (parts, rest): ([String], Substring) = ([], text[...])
    while let first = rest.firstRange(of: start) {
      let part = rest[first.upperBound...]
      guard let last = part.firstRange(of: end) else { break }
      parts.append(String(part[..<last.lowerBound]))
      rest = part[last.upperBound...]
    }
    return parts
  }
}
