/// One way in which a plugin can misbehave.
enum Vice: String, CaseIterable {
  /// It behaves.
  case none
  /// In the middle of a move its values jump by 100, without a velocity that explains it.
  case jumps
  /// It runs and sends nothing, not even hello. It ends when its lifeline does.
  case neverSaysHello = "never-says-hello"
  /// It uses a version that no other program does.
  case wrongVersion = "wrong-version"
  /// It aborts when it is given its first plan.
  case crashesOnAdd = "crashes-on-add"
  /// It aborts in the frame whose number in this process `--tick` gives, 1 if it is not given.
  case crashesAtTick = "crashes-at-tick"
  /// It aborts when it is given a plan that goes to 666, and serves all others.
  case diesOfPoison = "dies-of-poison"
  /// It hangs for ever when it is given a plan that goes to 666.
  case hangsOnPoison = "hangs-on-poison"
  /// It aborts in the third frame after it was given a plan that goes to 666.
  case diesOfSlowPoison = "dies-of-slow-poison"
  /// It sends ten thousand updates with nothing new in them in each frame.
  case floodsEvents = "floods-events"
  /// It sends ten thousand lines to its log, past its own limits, in each frame.
  case floodsLogs = "floods-logs"
  /// It sends an update in each frame that is as large as one may be.
  case floodsBytes = "floods-bytes"
  /// It takes 16 MiB more in each frame, from that on that `--tick` gives, and uses it.
  case leaksMemory = "leaks-memory"
  /// It starts processes that keep all of its sockets and pipes when it dies: one in its group, and one in a session of
  /// its own.
  case forks
  /// It continues when motiond dies, with all of its sockets: it does not detect the end of its lifeline, and no signal
  /// notifies it.
  case outlivesMotiond = "outlives-motiond"
  /// It sends a hello in the name of every other worker and start, and as other processes.
  case lies
  /// In addition to its values it sends ones that are not a number.
  case writesNaN = "writes-nan"
  /// In addition to its values it writes to properties, and in the name of executors, that are not its own.
  case writesForeign = "writes-foreign"
  /// Only KILL ends it, once it has a plan: neither a shutdown nor TERM, nor the end of its lifeline.
  case ignoresTerm = "ignores-term"
  /// It is slow to bring its outputs to rest, and leaves a file `rested` in its folder when they are.
  case restsSlowly = "rests-slowly"
  /// It does not detect the end of its lifeline.
  case ignoresLifeline = "ignores-lifeline"
  /// It floods standard output: lines, a line without end, bytes that are not text.
  case printsToStdout = "prints-to-stdout"
  /// It exits at once, as if all were done.
  case exitsZero = "exits-zero"
}
