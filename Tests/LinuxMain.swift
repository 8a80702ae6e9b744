import Testing

/// The entry of the executable that holds all tests. SwiftPM finds it by its name, and then needs no index of the sources to
/// find tests, which takes the compiler a sixth of its time.
@main struct AllTests {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
