/// The file in which a motion-studio that runs keeps the address of its page, with the page's token.
package enum StudioPage {
  private static let name = "motion-studio/page"

  /// The file that a motion-studio with this environment writes: in `$RUNTIME_DIRECTORY`, as systemd sets it, in
  /// `$XDG_RUNTIME_DIR/motion-studio` or in `/run/motion-studio`.
  package static func file(environment: [String: String]) -> String {
    directory("RUNTIME_DIRECTORY", environment).map { "\($0)/page" } ?? candidates(environment: environment)[0]
  }

  /// The files in which a program with this environment looks for the address, in order.
  package static func candidates(environment: [String: String]) -> [String] {
    (directory("XDG_RUNTIME_DIR", environment).map { ["\($0)/\(name)"] } ?? []) + ["/run/\(name)"]
  }

  private static func directory(_ variable: String, _ environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
