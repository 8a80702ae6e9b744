import Glibc
import LinuxSystem
import MotionClient

/// motion-studio, as `motionctl open` finds and starts it.
struct StudioProgram {
  /// How long it may take to start: its first start on a busy machine takes a second.
  private static let timeout = Duration.seconds(10)

  /// `POSIX_SPAWN_SETSID` of glibc, which its header shows to GNU programs only.
  private static let newSession: Int16 = 0x80

  private let environment: [String: String]

  init(environment: [String: String]) { self.environment = environment }

  /// The address of the page of one that runs; `nil` if none does.
  func address() throws(Failure) -> String? {
    for file in StudioPage.candidates(environment: environment) {
      guard let text = Self.text(of: file), let port = Self.port(of: text), Self.listens(port) else { continue }
      return text
    }
    return nil
  }

  /// Starts one, in a session of its own, and returns the address of its page.
  func start(runtimeDirectory: String?) throws(Failure) -> String {
    let file = StudioPage.candidates(environment: environment)[0]
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    do {
      try PrivateDirectory.make(folder)
    } catch {
      throw Failure(.failure, "\(error)")
    }
    let log = "\(folder)/log"
    let process = try spawn(["--runtime-dir", runtimeDirectory].compacted, log: log)
    let deadline = BootClock.now + Self.timeout
    while BootClock.now < deadline {
      if let address = try address() { return address }
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == 0 else { break }
      poll(nil, 0, 20)
    }
    let last = Self.text(of: log)?.split(separator: "\n").last.map(String.init)
    throw Failure(
      .failure, "motion-studio did not start" + (last.map { ": \($0)" } ?? ""), remedy: "see its log, \(log)")
  }

  private func spawn(_ arguments: [String], log: String) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // It outlives the terminal.
    posix_spawnattr_setflags(&attributes, Self.newSession)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let program = Self.path
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var process = pid_t()
    let status = posix_spawnp(&process, program, &actions, &attributes, words + [nil], environ)
    guard status == 0 else {
      throw Failure(
        .failure, "\(program) cannot be started: \(String(cString: strerror(status)))",
        remedy: "install it beside motionctl")
    }
    return process
  }

  /// The program beside this one, else the one in `PATH`.
  private static var path: String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return "motion-studio" }
    let own = String(decoding: buffer.prefix(count), as: UTF8.self)
    let beside = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = "\(beside)/motion-studio"
    return access(path, X_OK) == 0 ? path : "motion-studio"
  }

  /// The first kilobytes of a file, without the last line feed.
  private static func text(of file: String) -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private static func port(of address: String) -> UInt16? {
    let digits = address.split(separator: "/").dropFirst().first?.split(separator: ":").last
    return digits.flatMap { UInt16($0) }
  }

  /// Whether a program listens at a port of this machine. The file of one that was killed stays.
  private static func listens(_ port: UInt16) -> Bool {
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    four.sin_port = port.bigEndian
    four.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var six = sockaddr_in6()
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    six.sin6_addr = in6addr_loopback
    return connects(AF_INET, four) || connects(AF_INET6, six)
  }

  private static func connects<Address>(_ family: Int32, _ address: Address) -> Bool {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }
}

extension [String?] {
  /// All of them, or none if one is missing.
  fileprivate var compacted: [String] { contains(nil) ? [] : compactMap { $0 } }
}
