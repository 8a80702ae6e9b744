/// The bounds on all input from outside, each with its reason.
public enum Limits {
  // MARK: Names

  /// A target's name: long enough for `room-3.wall:panel-117`, short enough for a topic that is copied per message.
  public static let targetNameBytes = 128
  /// A property's name, likewise.
  public static let propertyNameBytes = 64
  /// The name of an intention or a token.
  public static let intentionNameBytes = 128
  /// The name of a type of intention or executor.
  public static let typeNameBytes = 64
  /// A plugin's name: it becomes part of a path, an ipc address (107 bytes in all) and a process title.
  public static let pluginNameBytes = 64

  // MARK: Numbers

  /// The largest magnitude of a number from outside: of a field, of a lane, of a pointer's location. The diameter of
  /// the observable universe is 1e37 atoms. Products of two such numbers and a coefficient of 1e15 are far from
  /// overflow.
  public static let magnitude = 1e100
  /// The largest magnitude of a property's value. It is 1e20 times ``magnitude``, because forces add up to more than
  /// each of them. Its square, times a thousand of the stiffest springs (1e15/s²), is 1e258, which is finite.
  public static let valueMagnitude = 1e120
  /// The largest magnitude of a property's velocity, per second. It is more than a thousand of the stiffest springs
  /// give to the largest value (1e129), so that a property can return from any value. Its square is finite.
  public static let velocityMagnitude = 1e140

  /// How long a property without limits brakes after a stop with a ramp, in simulated seconds: fast for a person who
  /// watches, and at twice its speed per second the acceleration is one that a machine of that speed usually has.
  public static let rampSeconds = 0.5
  /// The longest time in which a hold slows everything down, in seconds of the boot clock: an operator who holds waits
  /// for rest, and a property that would need longer brakes harder than that.
  public static let longestRampSeconds = 5.0

  // MARK: Intentions and transactions

  /// The lanes of a property: a colour with alpha is the largest value there is.
  public static let lanes = 4
  /// Fields of one intention: the richest built-in has 10.
  public static let fieldsPerIntention = 64
  /// Priorities of plans: 0 is that of a plan without one. A show has a handful of ranks, and leaves room between them;
  /// those below 0 yield to every plan that states nothing, and need no grant. In a byte, they cost no memory.
  public static let priority: ClosedRange<Int32> = -100...100
  /// Displaced one-shots that a receipt lists: more than a person reads, and 10 KB.
  public static let displacedInReceipt = 64
  /// The most plans and limits of ``Receipt/limited``.
  public static let limitedInReceipt = 64
  /// Elements of a list field: keyframes of a recorded movement of 17 minutes at 4 a second.
  public static let listElements = 4096
  /// Bytes of one text field: an easing with many points is the longest text in use.
  public static let textBytes = 16_384
  /// Bytes of a commit's comment: two or three sentences. It is kept with each plan.
  public static let commentBytes = 256
  /// Bytes of the name that a client gives itself: kept likewise.
  public static let clientNameBytes = 128
  /// The depth to which lists may be nested in lists.
  public static let nesting = 4
  /// The longest duration of a field, in seconds: 100 years, a third of the range of nanoseconds in 64 bits.
  public static let durationSeconds = 3_155_760_000.0
  /// Operations of one transaction (design §10): 100,000 are decoded and applied within 300 ms.
  public static let operationsPerTransaction = 100_000
  /// Bytes of a selector: the names of some five hundred lamps, one by one.
  public static let selectorBytes = 16_384
  /// Patterns with `*` or `?` in one transaction: each costs a look at the names of all targets.
  public static let patternsPerTransaction = 64
  /// Groups of one runtime: a large show has some hundred.
  public static let groups = 1024
  /// Members of all groups together: the lamps of a large show, ten times over.
  public static let groupMembers = 16_384
  /// Scenes of one runtime: a large show has some hundred.
  public static let scenes = 1024
  /// Values and plans of all scenes together: a thousand properties in sixty scenes, in some 4 MB.
  public static let sceneEntries = 65_536
  /// Lists of cues of one runtime.
  public static let cueLists = 64
  /// Cues of one list.
  public static let cuesPerList = 4096
  /// Operations of all cues of one list.
  public static let operationsPerCueList = 8192
  /// Operations of the cues of all lists together.
  public static let cueOperations = 65_536
  /// Operations of which a receipt states how many targets they addressed, as of displaced plans.
  public static let addressedInReceipt = 64
  /// States of read properties on their way to a worker, and not acknowledged: more wait until they are.
  package static let unacknowledgedReads = 8192
  /// The depth to which emitted intentions may emit others (specification: depth first, at most 16 deep).
  public static let emissionDepth = 16
  /// Transaction ids that are stored to recognise a repeated commit; the oldest are dropped first.
  public static let rememberedTransactions = 100_000
  /// The time for which a transaction id is stored, in seconds of the boot clock: 24 hours.
  public static let rememberedTransactionSeconds = 86_400.0
  /// Transactions that wait for their `at` or for the next frame: a show of several hours with a cue a second.
  public static let waitingTransactions = 65_536
  /// Waiting transactions of a stored state: as many were on their way to the disk when the limit was reached.
  package static let storedTransactions = 2 * waitingTransactions
  /// Bytes of all transactions that wait for their `at`, and of the messages with those that wait for the next frame: as
  /// many as the largest message of a client has. They are stored, and a start reads them all: this many take a start
  /// about a second.
  public static let waitingBytes = 64 << 20

  /// Errors that are collected in one file: more than a person reads at a time.
  public static let fileErrors = 20

  // MARK: The runtime

  /// Targets of one runtime. Ten times the number that the memory target of 500 MB is measured with would not fit a
  /// small machine.
  public static let targets = 2_000_000
  /// Properties of one target.
  public static let propertiesPerTarget = 256
  /// Properties with limits that were set, existing or not: as many as half of all targets have one.
  public static let limitedProperties = 1_000_000
  /// Unfinished intentions of one target: four for each property it may have. Removing one costs a scan of the others.
  public static let intentionsPerTarget = 1024
  /// Tokens one executor may hold at a time.
  public static let tokensPerExecutor = 1024
  /// Pointer events in one message of input: a second of a sensor that reports 1000 times a second.
  public static let pointerEventsPerInput = 1024
  /// Messages of input that wait for the next frame. At 120 frames a second that is 500,000 messages a second; while
  /// time is paused, half a minute of a hand.
  public static let waitingInputs = 4096
  /// Pointers that one client may have down: a hundred pairs of hands.
  public static let pointersDown = 1024
  /// Input values that a runtime has at a time, and that one message carries: the faders of twenty desks.
  public static let inputValues = 1024
  /// Plans of a kind that an explanation of a property has: those that move it together, those that wait.
  public static let explainedPlans = 32
  /// Clients that a daemon lists.
  public static let clients = 4096
  /// The size of a recording of pointers: a minute of ten fingers at 240 events a second is 15 MB.
  public static let pointerTraceBytes = 16 << 20
  /// The largest difference between the time of a pointer event and the present, in seconds: a recorded hour may be
  /// played at once.
  public static let pointerEventSeconds = 3600.0
  /// Frames per second, lowest and highest.
  public static let rate = 1.0...1000.0
  /// Late frames that are run to catch up before the rest is skipped.
  public static let catchUpFrames = 4
  /// Simulated seconds per second of the boot clock, lowest and highest; 0 is `pause`. At the lowest speed a second
  /// takes eleven days, and `Double` still distinguishes the times of two consecutive frames.
  public static let speed = 1e-6...1000.0

  /// Frames that one request may step while time is paused: two hours at 120 Hz.
  public static let framesPerStep: UInt64 = 1_000_000

  // MARK: Plugins

  /// Plugins that one coordinator loads.
  public static let plugins = 256
  /// Worker processes of one plugin.
  public static let instancesPerPlugin = 16
  /// Types of intentions that one plugin offers.
  public static let intentionsPerPlugin = 256
  /// The size of a plugin's manifest.
  public static let manifestBytes = 1 << 20

  /// Arguments, and environment variables, of one plugin's program.
  public static let argumentsPerPlugin = 64
  /// The path of a plugin's program within its folder, in bytes.
  public static let executablePathBytes = 1024
  /// Bytes in the path of a file that a request names: the most that Linux takes.
  public static let pathBytes = 4095

  // MARK: Streams

  /// Streams of one plan that are described: as many as the properties that a plan reasonably writes.
  public static let streamsPerIntention = 64
  /// Calls of one stream that are described: three times the longest that is built in.
  public static let callsPerStream = 64
  /// One call of a stream, in bytes, including the streams among its arguments.
  public static let streamCallBytes = 2048
  /// Plans in one worker's report of its streams: more than a person reads. At 20 µs each, for a stream of five calls,
  /// producing the report costs the worker three frames at 120 Hz.
  public static let plansPerStreamReport = 1000
  /// One worker's report of its streams: 1000 plans of 1000 bytes each.
  public static let streamReportBytes = 1 << 20

  // MARK: Messages

  /// One message from a client: 100,000 operations of about 500 bytes each.
  public static let clientMessageBytes = 64 << 20
  /// One message of values or outcomes. Those of motiond have 64 KiB at most, and those of a later version may be
  /// longer. A message that claims a greater length than this is rejected, without waiting for its end.
  public static let publishedBytes = 1 << 20
  /// One message between coordinator and worker: a snapshot of all its intentions may hold as much as a transaction.
  public static let workerMessageBytes = 64 << 20
  /// The size of a transaction file, for the same 100,000 operations as text.
  public static let transactionFileBytes = 64 << 20
  /// Values in one JSON text, nested ones included: 100,000 operations with 40 values each. It bounds the memory that
  /// reading takes, about 24 bytes for each value.
  public static let jsonValues = 4_000_000
  /// The depth to which arrays and objects of a JSON text may be nested: transaction files need 5 and ``nesting``.
  public static let jsonDepth = 32
  /// One line of a worker's log; the rest of a longer line is cut.
  public static let logLineBytes = 4096
  /// Values of one update: all lanes of as many targets as a worker may serve in a frame.
  public static let valuesPerUpdate = 1_000_000
  /// Reliable events of a worker that the coordinator has not acknowledged yet; a worker with more is out of step.
  public static let unacknowledgedEvents = 100_000
}
