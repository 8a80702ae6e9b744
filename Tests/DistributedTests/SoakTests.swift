import Testing

extension TimedTests {
  /// `make soak` works: the run itself takes half an hour and is not part of this test.
  @Suite struct SoakTests {
    @Test func `a soak of a few seconds loses nothing`() throws {
      let directory = try TestDirectory()
      try PluginFolder.tween().write(to: directory)
      try PluginFolder.osc().write(to: directory)
      let soak = try ChildProcess(
        Programs.path("motion-soak"),
        [
          "--bin", Programs.directory, "--plugins", directory["plugins"], "--dir", directory["soak"], "--minutes",
          "0.08",
          "--seed", "7", "--page", directory["soak.md"],
        ],
        environment: ["PATH": "/usr/bin:/bin"], output: directory["said"], errors: directory["said"])
      let end = try soak.awaitEnd(within: .seconds(50))
      let said = directory.text(of: "said")
      #expect(end == .exited(0), "\(said)")
      #expect(said.contains("nothing was lost"), "\(said)")
      // Five seconds are no curve, and the report states that.
      #expect(!said.contains("nothing grew") && said.contains("memory of motiond, MiB: not judged"), "\(said)")
      let page = directory.text(of: "soak.md")
      #expect(page.contains("| fault | times |") && page.contains("nothing was lost"), "\(page)")
      #expect(page.contains("every one of them was compared"), "\(page)")
      #expect(directory.text(of: "soak.svg").contains("polyline"))
      #expect(directory.text(of: "soak/soak.csv").split(separator: "\n").count > 4)
    }
  }
}
