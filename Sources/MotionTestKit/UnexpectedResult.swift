/// The error of a test that got a result of another kind than the one it examines: the test fails instead of passing
/// without an assertion.
package struct UnexpectedResult: Error {
  package init() {}
}
