/// A request to run frames while time stands.
struct Stepping {
  /// How long a step waits for the workers that want its frame.
  static let timeout = Duration.milliseconds(500)

  var remaining: UInt64
  /// When the next frame is run although a worker that needs it has not answered.
  var deadline: Duration
  /// Whether the next frame can be run at once.
  var isReady = false
  let requester: Requester
}
