import Glibc
import LinuxSystem

/// Why a file or folder that decides which programs motiond runs is not trusted, and the remedy.
struct PermissionProblem {
  let problem: String
  let remedy: String

  /// `nil` if root or the user of this process owns it and no other user can write it.
  init?(_ status: stat, of path: String) {
    let user = geteuid()
    if status.st_uid != 0, status.st_uid != user {
      problem = "it belongs to user \(status.st_uid), who could make motiond run any program"
      remedy = "Give it to root or to motiond's own user, \(user): chown \(user) \(ShellWord.quoting(path))"
    } else if status.st_mode & 0o022 != 0 {
      problem = "users other than its owner can write it, and so make motiond run any program"
      remedy = "Remove this permission: chmod go-w \(ShellWord.quoting(path))"
    } else {
      return nil
    }
  }

  /// `nil` if no other user could put another entry at this path: the rule for directories of sockets and of state.
  init?(onTheWayTo path: String) {
    guard let weakness = PathTrust.weakness(onTheWayTo: path) else { return nil }
    problem = "\(weakness): another user could replace it, and so make motiond run any program"
    remedy = "Choose a place that only root and user \(geteuid()) can replace, or correct it: \(weakness.command())"
  }

  /// `nil` if no other user could change a program, or put a file into a folder of code. Links are followed.
  init?(ofCode path: String) {
    if let problem = PermissionProblem(onTheWayTo: path) {
      self = problem
      return
    }
    guard let weakness = PathTrust.weakness(ofFileAt: path) else { return nil }
    problem = "\(weakness), who could make motiond run any program"
    remedy = "Choose one that only root and user \(geteuid()) can change, or correct it: \(weakness.command())"
  }
}
