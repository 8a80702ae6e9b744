import Glibc
import LinuxSystem
import MotionModel

extension PrivateDirectory {
  /// Makes a directory that only motiond's user may enter, or only that user may change, parents included, or checks
  /// that it is one.
  ///
  /// - Throws: ``StartError`` with the step that failed.
  static func makeAtStart(
    _ path: String, mode: mode_t = 0o700, group: gid_t? = nil, isWithinOurs: Bool = false
  ) throws {
    do {
      try make(path, mode: mode, group: group, isWithinOurs: isWithinOurs)
    } catch {
      throw StartError(error.step, error.problem, remedy: error.remedy)
    }
  }
}
