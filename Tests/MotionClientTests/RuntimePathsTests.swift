import MotionWire
import Testing

@Suite struct RuntimePathsTests {
  @Test(
    arguments: [
      (nil, [:], ["/run/motiond"]),
      (nil, ["XDG_RUNTIME_DIR": "/run/user/7"], ["/run/user/7/motiond", "/run/motiond"]),
      (nil, ["XDG_RUNTIME_DIR": ""], ["/run/motiond"]),
      (nil, ["XDG_RUNTIME_DIR": "/run/user/7", "MOTIOND_RUNTIME_DIR": "/srv/m/"], ["/srv/m"]),
      ("./demo", ["MOTIOND_RUNTIME_DIR": "/srv/m"], ["./demo"]),
    ] as [(String?, [String: String], [String])])
  func `a flag precedes the variable and the user`(flag: String?, environment: [String: String], expected: [String]) {
    #expect(RuntimePaths.candidates(flag: flag, environment: environment).map(\.directory) == expected)
    #expect(RuntimePaths.preferred(flag: flag, environment: environment).directory == expected[0])
  }

  @Test func `a directory too long for its sockets is reported`() {
    let free = RuntimePaths.longestSocketPath - "/worker/commands.ipc".utf8.count
    #expect(RuntimePaths(directory: "/" + String(repeating: "d", count: free - 1)).problem == nil)
    let problem = RuntimePaths(directory: "/" + String(repeating: "d", count: free)).problem
    #expect(problem?.contains("1 bytes too long") == true)
  }
}
