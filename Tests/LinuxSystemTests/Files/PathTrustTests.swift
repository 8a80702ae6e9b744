import Glibc
import MotionTestKit
import Testing

@testable import LinuxSystem

/// Root's directories, checked for root and for a user; root creates those of other users.
@Suite(.enabled(if: geteuid() == 0, "other users' directories are made by root"))
struct PathTrustTests {
  private let folder: TemporaryFolder
  private let user: uid_t = 61_234
  private let other: uid_t = 61_235

  init() throws { folder = try TemporaryFolder() }

  /// Makes a directory with an owner and a mode.
  private func make(_ path: String, _ owner: uid_t = 0, _ mode: mode_t = 0o755) {
    let path = "\(folder.path)/\(path)"
    mkdir(path, 0o755)
    chown(path, owner, owner)
    chmod(path, mode)
  }

  private func weakness(_ path: String, for user: uid_t = 0) -> PathTrust.Weakness? {
    PathTrust.weakness(onTheWayTo: "\(folder.path)/\(path)", for: user)
  }

  // Clauses: S16.17
  @Test func `a path through directories of root and the user is safe, and of another user is not`() {
    chmod(folder.path, 0o755)
    make("mine", user)
    make("mine/state", user)
    #expect(weakness("mine/state", for: user) == nil)
    #expect(weakness("mine/state") == .init(path: "\(folder.path)/mine", problem: "belongs to user 61234"))
    #expect(weakness("mine") == nil, "what it is itself is another question")
    #expect(weakness("mine/state", for: other) != nil)
    #expect(weakness("not/there") == nil)
  }

  // Clauses: S16.17
  @Test func `a directory that others can write is unsafe, unless it is sticky and the entry is safe`() {
    chmod(folder.path, 0o755)
    make("open", 0, 0o777)
    make("open/state")
    #expect(weakness("open/state")?.problem == "may be written by others")
    make("group", 0, 0o775)
    chown("\(folder.path)/group", 0, other)
    make("group/state")
    #expect(weakness("group/state") != nil)
    make("sticky", 0, 0o1777)
    make("sticky/state")
    make("sticky/theirs", other)
    make("sticky/theirs/state")
    #expect(weakness("sticky/state") == nil)
    #expect(weakness("sticky/state", for: user) == nil, "root's")
    #expect(weakness("sticky/theirs") != nil && weakness("sticky/theirs/state") != nil)
  }

  // Clauses: S16.17
  @Test func `a link is safe if both its directory and its destination are`() {
    chmod(folder.path, 0o755)
    make("safe")
    make("open", 0, 0o777)
    make("open/state")
    make("safe/state")
    symlink("../open/state", "\(folder.path)/safe/link")
    symlink("\(folder.path)/safe/state", "\(folder.path)/safe/good")
    symlink("loop", "\(folder.path)/safe/loop")
    #expect(weakness("safe/good/more") == nil)
    #expect(weakness("safe/link")?.path == "\(folder.path)/open")
    #expect(weakness("safe/loop/more") == nil, "it leads nowhere")
    make("open/here")
    symlink("../safe/state", "\(folder.path)/open/away")
    #expect(weakness("open/away") != nil)
  }
}
