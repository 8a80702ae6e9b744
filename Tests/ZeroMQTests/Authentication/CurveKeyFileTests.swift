import Glibc
import Testing
import ZeroMQ

struct CurveKeyFileTests {
  /// Calls `body` with a folder of its own, and removes it.
  private func inFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/kXXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer {
      for name in ["a.key", "a.pub", "b.key", "b.pub", ""] { remove("\(folder)/\(name)") }
    }
    try body(folder)
  }

  private func write(_ text: String, _ path: String, mode: UInt32 = 0o600) throws {
    unlink(path)
    try KeyFile.write(text, to: path, mode: mode)
    chmod(path, mode)
  }

  // Clauses: S16.8
  @Test func `a written key pair is read, and only with a private mode`() throws {
    try inFolder { folder in
      let made = try CurveKeyFile.make(at: "\(folder)/a.key", publicPath: "\(folder)/a.pub", name: "desk")
      let read = try CurveKeyFile(reading: "\(folder)/a.key")
      #expect(read.publicKey == made.publicKey && read.secretKey == made.secretKey)
      #expect(try CurveKeyFile.publicKey("\(folder)/a.pub") == made.publicKey)
      #expect(try CurveKeyFile.publicKey("\(folder)/a.key") == made.publicKey)
      #expect(try CurveKeyFile.publicKey(made.publicKey.z85) == made.publicKey)
      for mode in [0o640, 0o604, 0o644, 0o660] as [UInt32] {
        chmod("\(folder)/a.key", mode)
        let error = #expect(throws: KeyFileError.self) { try CurveKeyFile(reading: "\(folder)/a.key") }
        #expect(error?.description.contains("chmod 600 \(folder)/a.key") == true)
      }
      chmod("\(folder)/a.pub", 0o664)
      let error = #expect(throws: KeyFileError.self) { try CurveKeyFile.publicKey("\(folder)/a.pub") }
      #expect(error?.description.contains("chmod go-w") == true)
    }
  }

  @Test func `a list of public keys is read wholly or refused`() throws {
    try inFolder { folder in
      let made = try CurveKeyFile.make(at: "\(folder)/a.key", publicPath: "\(folder)/a.pub", name: "desk")
      let (other, path) = (try CurveKey.generate().publicKey, "\(folder)/b.pub")
      #expect(try CurveKeyFile.publicKeys(other.z85) == [other])
      #expect(try CurveKeyFile.publicKeys("\(folder)/a.pub") == [made.publicKey])
      #expect(try CurveKeyFile.publicKeys("\(folder)/a.key") == [made.publicKey])
      try write("# Visitors\n\n\(made.publicKey.z85) desk\n\(other.z85)\n", path)
      #expect(try CurveKeyFile.publicKeys(path) == [made.publicKey, other])
      for text in ["", "# Nobody.\n", "\(other.z85) guest\nguest \(other.z85)\n"] {
        try write(text, path)
        let error = #expect(throws: KeyFileError.self) { try CurveKeyFile.publicKeys(path) }
        #expect(error?.description.contains("Write KEY NAME") == true)
      }
      try write("\u{1B}[31mred\u{202E} guest\n", path)
      let error = #expect(throws: KeyFileError.self) { try CurveKeyFile.publicKeys(path) }
      #expect(error?.problem == "a line of it begins with no key: ?[31mred?")
    }
  }

  @Test func `existing key files are not overwritten, and no half pair is left`() throws {
    try inFolder { folder in
      let first = try CurveKeyFile.make(at: "\(folder)/a.key", publicPath: "\(folder)/a.pub", name: "desk")
      #expect(throws: KeyFileError.self) {
        try CurveKeyFile.make(at: "\(folder)/a.key", publicPath: "\(folder)/b.pub", name: "desk")
      }
      #expect(throws: KeyFileError.self) {
        try CurveKeyFile.make(at: "\(folder)/b.key", publicPath: "\(folder)/a.pub", name: "desk")
      }
      #expect(access("\(folder)/b.key", F_OK) != 0)
      #expect(try CurveKeyFile(reading: "\(folder)/a.key").publicKey == first.publicKey)
    }
  }

  @Test func `an invalid key pair is refused`() throws {
    try inFolder { folder in
      let (one, other) = (try CurveKey.generate(), try CurveKey.generate())
      let path = "\(folder)/a.key"
      let texts = [
        "", "public \(one.publicKey.z85)\n", "secret \(one.secretKey.z85)\n",
        "public \(one.publicKey.z85)\nsecret \(other.secretKey.z85)\n",
        "public \(one.publicKey.z85)\npublic \(one.publicKey.z85)\nsecret \(one.secretKey.z85)\n",
        "public \(one.publicKey.z85.dropLast())\nsecret \(one.secretKey.z85)\n", String(repeating: "#", count: 5000),
      ]
      for text in texts {
        try write(text, path)
        let error = #expect(throws: KeyFileError.self, "\(text)") { try CurveKeyFile(reading: path) }
        #expect(error?.isContent == true)
      }
      try write("\(one.publicKey.z85) desk\n", path)
      let error = #expect(throws: KeyFileError.self) { try CurveKeyFile(reading: path) }
      #expect(error?.problem.contains("a public key only") == true)
      #expect(error?.remedy.contains("motionctl key new NAME") == true)
      try write("# mine\r\n\n public\t\(one.publicKey.z85) \r\nsecret \(one.secretKey.z85)", path)
      #expect(try CurveKeyFile(reading: path).publicKey == one.publicKey)
      #expect(throws: KeyFileError.self) { try CurveKeyFile(reading: folder) }
      #expect(throws: KeyFileError.self) { try CurveKeyFile(reading: "\(folder)/none") }
      unlink(path)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(throws: KeyFileError.self, "a pipe is not waited for") { try CurveKeyFile(reading: path) }
    }
  }
}
