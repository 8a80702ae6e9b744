import Glibc
import MotionExecutorKit
import MotionModel
import MotionWire
import ZeroMQ

/// The vices of processes that never become a worker.
enum Outsiders {
  /// Sends nothing until the lifeline ends.
  static func stayMute() {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { return }
    }
  }

  /// Sends a hello in a version of the far future, and prints the answers, until the lifeline ends.
  static func greetFromTheFuture(_ environment: WorkerEnvironment, executor: ExecutorType) throws {
    let context = try ZeroMQContext()
    let socket = try DealerSocket(context, .sendHighWaterMark(10))
    try socket.connect(environment.link)
    let hello = Hello(
      protocolVersions: 999...999, address: environment.address, processID: getpid(), executors: [executor])
    let envelope = Envelope(
      epoch: environment.epoch, incarnation: environment.incarnation, sequence: 1, .hello(hello))
    _ = try socket.send(envelope.encoded())
    let poller = Poller()
    let answers = poller.add(socket)
    let lifeline = poller.add(descriptor: STDIN_FILENO)
    while true {
      _ = try poller.poll(timeout: nil)
      while let message = try poller.isReadable(answers) ? socket.receiveOne().message : nil {
        let answer = try Envelope(decoding: message.bytes)
        if case .refusal(let refusal) = answer.body { Output.say("refused: \(refusal)") }
      }
      var byte: UInt8 = 0
      if poller.isReadable(lifeline), read(STDIN_FILENO, &byte, 1) <= 0 { return }
    }
  }
}
