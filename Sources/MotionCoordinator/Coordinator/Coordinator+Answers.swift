import LinuxSystem
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Makes the next rows of the long answers until a frame is due, and sends those that are encoded.
  ///
  /// Runs after the frames of a turn, so that frames have priority.
  func makeAnswers() {
    if poller.isReadable(watched.answers) { sendAnswers() }
    let begin = machine.now
    guard let due = longAnswers.queue.deadline, begin >= due else { return }
    let end = clock.deadline
    let actions = longAnswers.queue.advance(runtime, isConnected: machine.isConnected) {
      // At least some rows were made before this check: when frames cost more than their period, one is always due.
      end.map { machine.now < $0 } ?? true
    }
    for action in actions { perform(action) }
    longAnswers.queue.rest(after: begin, at: machine.now)
  }

  private func perform(_ action: AnswerQueue<RoutingID>.Action) {
    switch action {
    case .encode(let piece, let number, let query): longAnswers.encoder.add(piece, of: number, to: query)
    case .forget(let number): longAnswers.encoder.forget(number)
    case .refuse(let question, let refusal): refuse(refusal, to: question.client, request: question.request)
    case .finish(let number, let question, let frames):
      replySequence += 1
      // Everything except the body, which is already encoded.
      let now = machine.now
      let envelope = Envelope(
        epoch: epoch, sequence: replySequence, replyTo: question.request, sent: UInt64(now.wholeNanoseconds),
        moment: moment(at: now), .alive)
      longAnswers.encoder.finish(
        number, to: question.query, remarks: question.remarks, like: envelope, madeIn: frames,
        within: answers.share(of: question.client))
    }
  }

  /// Sends the answers that were encoded, and refuses those that cannot be sent.
  private func sendAnswers() {
    for result in longAnswers.encoder.take() {
      switch result {
      case .encoded(let rows): longAnswers.queue.encoded(rows)
      case .made(let number, let encoded):
        guard let question = longAnswers.queue.finish(number) else { continue }
        send(encoded.message, to: question.client)
      case .tooLong(let number):
        longAnswers.encoder.forget(number)
        guard let question = longAnswers.queue.finish(number) else { continue }
        refuse(Self.tooLong(question.query), to: question.client, request: question.request)
      case .noRoom(let number):
        guard let question = longAnswers.queue.finish(number) else { continue }
        refuse(.unread, to: question.client, request: question.request)
      }
    }
  }
}
