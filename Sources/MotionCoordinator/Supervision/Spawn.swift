import CLinux
import Glibc
import LinuxSystem
import MotionModel
import ZeroMQ

/// Starts a program in a process and a group of its own, which inherits nothing but three pipes.
enum Spawn {
  /// Starts the program, and returns its process ID. A plugin's program is checked again first, and is executed only if
  /// it is still the file that was checked.
  static func run(
    _ launch: WorkerProcess.Launch, input: Pipe.End, output: Pipe.End, errors: Pipe.End
  ) throws -> Int32 {
    guard let program = launch.program else {
      let folder = motion_open_place(AT_FDCWD, launch.directory, 1)
      guard folder >= 0 else { throw SpawnError(launch.directory, code: errno) }
      defer { close(folder) }
      return try start(launch, launch.executable, nil, in: folder, [input, output, errors])
    }
    let place = try PluginPlace(launch.directory)
    let identity = try place.program(program)
    try PluginPlace.checkLibraries(launch.libraries, of: launch.directory)
    // Relative to the folder, whose descriptor is open: the folders above it may be moved meanwhile.
    return try start(launch, "./\(program)", identity, in: place.descriptor, [input, output, errors])
  }

  /// Starts a program; one that was checked only if it is still that file.
  static func start(
    _ launch: WorkerProcess.Launch, _ program: String, _ identity: FileIdentity?, in folder: Int32,
    _ streams: [Pipe.End]
  ) throws(SpawnError) -> Int32 {
    var request = motion_launch()
    request.directory = folder
    request.streams = (streams[0].descriptor, streams[1].descriptor, streams[2].descriptor)
    request.parent_death_signal = launch.parentDeathSignal
    if let identity {
      (request.is_checked, request.device, request.file) = (1, identity.device, identity.file)
    }
    (request.is_limited, request.soft, request.hard) = launch.limits.columns
    request.niceness = Int32(launch.limits.niceness(hasShare: launch.share != nil))
    request.group = try group(of: launch)
    defer { if request.group != 0 { close(request.group) } }
    let environment = launch.environment.map { "\($0.key)=\($0.value)" }.sorted()
    var (processID, step): (pid_t, Int32) = (0, 0)
    let status = withCStrings([launch.executable] + launch.arguments) { arguments in
      withCStrings(environment) { variables in
        program.withCString { program in
          request.program = program
          request.arguments = arguments
          request.environment = variables
          return motion_launch(&request, &processID, &step)
        }
      }
    }
    guard status == 0 else { throw SpawnError(launch, code: status, step: step) }
    return processID
  }

  /// The descriptor of the file through which a process joins its control group; 0 without one.
  private static func group(of launch: WorkerProcess.Launch) throws(SpawnError) -> Int32 {
    do throws(ControlGroupError) {
      return try launch.share?.open() ?? 0
    } catch {
      throw SpawnError("its cpuWeight cannot be set: \(error)")
    }
  }

  /// Calls `body` with C's array of these texts, null at its end.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies + [nil]).withUnsafeBufferPointer { pointers in
      guard let base = pointers.baseAddress else { preconditionFailure("an array with a null at its end is empty") }
      return body(base)
    }
  }
}

/// Why a process could not be started.
struct SpawnError: Error, CustomStringConvertible {
  /// The errors of a machine with too many processes or files, or too little memory.
  private static let shortages: Set<Int32> = [EAGAIN, ENOMEM, EMFILE, ENFILE]

  let description: String
  /// Whether the program was not at fault, and the failure may pass by itself.
  let isShortage: Bool

  init(_ description: String) { (self.description, isShortage) = (description, false) }

  init(_ what: String, code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
    isShortage = Self.shortages.contains(code)
  }

  fileprivate init(_ launch: WorkerProcess.Launch, code: Int32, step: Int32) {
    let reason = String(cString: strerror(code))
    isShortage = Self.shortages.contains(code)
    description =
      switch UInt32(step) {
      case MOTION_LAUNCH_DIRECTORY.rawValue: "\(launch.directory): \(reason)"
      case MOTION_LAUNCH_LIMITS.rawValue: "its limits (\(launch.limits)) cannot be set: \(reason)"
      case MOTION_LAUNCH_GROUP.rawValue: "it cannot be placed in its control group: \(reason)"
      case MOTION_LAUNCH_PARENT.rawValue: "it cannot be made to end with motiond: \(reason)"
      case MOTION_LAUNCH_CHANGED.rawValue:
        "\(launch.executable) was replaced while it was being started; it is started again"
      case MOTION_LAUNCH_PROGRAM.rawValue: "\(launch.executable): \(reason)"
      default: "the process cannot be created: \(reason)"
      }
  }
}
