import Glibc
import MotionTestKit
import Testing

@testable import motionctl

@Suite struct OutputFileTests {
  private let files: TemporaryFolder
  private var path: String { "\(files.path)/show.mcap" }

  init() throws { files = try TemporaryFolder() }

  private func text(of path: String) throws -> String {
    String(decoding: try FileBytes.read(path, limit: 1_000), as: UTF8.self)
  }

  private var names: [String] {
    guard let folder = opendir(files.path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  @Test func `an existing file is replaced when the new one is complete, and keeps its mode`() throws {
    try files.write("old", to: "show.mcap")
    chmod(path, 0o640)
    let file = OutputFile(path)
    try file.write(Array("ne".utf8))
    #expect(try text(of: path) == "old")
    try file.write(Array("w".utf8))
    try file.finish()
    #expect(try text(of: path) == "new" && names == ["show.mcap"])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test func `a file that is not completed, or has no bytes, replaces nothing`() throws {
    try files.write("old", to: "show.mcap")
    try OutputFile(path).write(Array("new".utf8))
    try OutputFile(path).finish()
    #expect(try text(of: path) == "old" && names == ["show.mcap"])
    try OutputFile("\(files.path)/other").write(Array("new".utf8))
    #expect(names == ["show.mcap"])
  }

  @Test func `a file that motiond records into is not replaced`() throws {
    try files.write("old", to: "show.mcap")
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let failure = #expect(throws: Failure.self) { try OutputFile(path).write([1]) }
    #expect(failure?.code == .usage && failure?.message.contains("motiond records into") == true)
    #expect(try text(of: path) == "old" && names == ["show.mcap"])
  }

  @Test func `what a link leads to is replaced, and a device is written`() throws {
    try files.write("old", to: "show.mcap")
    let link = "\(files.path)/link"
    #expect(symlink("show.mcap", link) == 0)
    let file = OutputFile(link)
    try file.write(Array("new".utf8))
    try file.finish()
    #expect(try text(of: path) == "new" && names == ["link", "show.mcap"])
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    let device = OutputFile("/dev/full")
    #expect(throws: Failure.self) { try device.write([1]) }
  }

  @Test func `a file without permission, and one in no folder, are failures`() throws {
    #expect(throws: Failure.self) { try OutputFile("\(files.path)/none/show.mcap").write([1]) }
    #expect(throws: Failure.self) { try OutputFile(files.path).write([1]) }
  }
}
