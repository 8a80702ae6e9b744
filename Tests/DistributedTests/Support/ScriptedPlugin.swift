import Foundation
import MotionFiles
import MotionModel

/// A plugin whose program sends nothing itself: it leaves its environment for the test, which plays the worker.
///
/// The daemon admits only the process that it has started, so that process connects: it relays, byte by byte, the bytes
/// that the test sends to sockets beside it.
enum ScriptedPlugin {
  /// The types of executors in it, each for the intention of the same name.
  static let types: [ExecutorType] = ["Puppet", "Marionette"]

  /// Writes the plugin, with intentions `Puppet` and `Marionette` that move one property, `level` if none is given.
  static func write(
    to directory: TestDirectory, named name: PluginName = "puppet", wantsUpdates: Bool = true
  ) throws {
    let property = FieldDescription(
      "property", .property, default: .property("level"), access: .writes, "The property that moves.")
    let descriptions = try types.map { type in
      IntentionDescription(
        type: try IntentionType(type.text), kind: .standing, executor: type, fields: [property],
        documentation: "Moves as the test says.")
    }
    let manifest = PluginManifest(
      name: name, executable: "puppet", intentions: descriptions, wantsUpdates: wantsUpdates,
      documentation: "Moves as the test says.")
    try directory.write(PluginManifestFile.text(of: manifest), to: "plugins/\(name)/plugin.json")
    try directory.write(relay, to: "plugins/\(name)/puppet", isExecutable: true)
  }

  /// The environment that the daemon gave to a start of the program, once it was started.
  static func environment(
    in directory: TestDirectory, named name: PluginName = "puppet", instance: Int = 0, incarnation: UInt64
  ) throws -> [String: String] {
    let file = "plugins/\(name)/environment.\(instance).\(incarnation)"
    let text = try awaitFact("the start of \(name).\(instance), number \(incarnation)") {
      let text = directory.text(of: file)
      return text.isEmpty ? nil : text
    }
    var variables: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    }
    return variables
  }
}

/// The program. It runs as long as its lifeline.
private let relay = """
  #!/usr/bin/python3
  import os, selectors, socket, sys

  here = f"{os.environ['MOTION_INSTANCE']}.{os.environ['MOTION_INCARNATION']}"
  watch = selectors.DefaultSelector()
  variables = dict(os.environ)

  def listen(name):
      path = os.path.abspath(f"{name[7:].lower()}.{here}")
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(path)
      listener.listen()
      watch.register(listener, selectors.EVENT_READ, os.environ[name][6:])
      variables[name] = "ipc://" + path

  for name in ["MOTION_LINK", "MOTION_COMMANDS", "MOTION_TICKS", "MOTION_EVENTS"]:
      listen(name)
  with open("environment.new", "w") as file:
      file.writelines(f"{name}={value}\\n" for name, value in variables.items())
  os.rename("environment.new", "environment." + here)
  print("the puppet hangs on its strings", flush=True)
  watch.register(sys.stdin.buffer.raw, selectors.EVENT_READ, None)
  while True:
      for key, _ in watch.select():
          if key.fileobj is sys.stdin.buffer.raw:
              if not os.read(0, 4096):
                  sys.exit()
          elif isinstance(key.data, str):
              (near, _), far = key.fileobj.accept(), socket.socket(socket.AF_UNIX)
              far.connect(key.data)
              watch.register(near, selectors.EVENT_READ, far)
              watch.register(far, selectors.EVENT_READ, near)
          else:
              try:
                  data = key.fileobj.recv(1 << 20)
                  key.data.sendall(data)
              except OSError:
                  data = b""
              if not data and key.fileobj.fileno() >= 0:
                  for end in [key.fileobj, key.data]:
                      watch.unregister(end)
                      end.close()

  """
