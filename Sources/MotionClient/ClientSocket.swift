import CZeroMQ
import Glibc

struct ZeroMQError: Error { var text: String }

final class Context: @unchecked Sendable {
  let raw: UnsafeMutableRawPointer
  init() throws(ZeroMQError) {
    guard let raw = zmq_ctx_new() else { throw ZeroMQError(text: "context") }
    self.raw = raw
  }
  deinit { zmq_ctx_term(raw) }
}

func socketErrors<Value>(_ body: () throws(ZeroMQError) -> Value) throws(MotionClientError) -> Value {
  do { return try body() } catch { throw MotionClientError(.socket, error.text) }
}

final class ClientSocket {
  enum Kind { case dealer, subscriber(queueLength: Int) }
  private let raw: UnsafeMutableRawPointer
  private let context: Context

  init(_ kind: Kind, _ endpoint: String, _ context: Context) throws(MotionClientError) {
    self.context = context
    let type: Int32
    var length: Int32 = 1000
    switch kind {
    case .dealer: type = ZMQ_DEALER
    case .subscriber(let queue): type = ZMQ_SUB; length = Int32(queue)
    }
    guard let raw = zmq_socket(context.raw, type) else { throw MotionClientError(.socket, "socket") }
    self.raw = raw
    var linger: Int32 = 0
    zmq_setsockopt(raw, ZMQ_LINGER, &linger, 4)
    zmq_setsockopt(raw, ZMQ_RCVHWM, &length, 4)
    guard zmq_connect(raw, endpoint) == 0 else { throw MotionClientError(.socket, "connect \(endpoint)") }
  }
  deinit { zmq_close(raw) }

  func send(_ bytes: [UInt8]) throws(MotionClientError) { _ = zmq_send(raw, bytes, bytes.count, ZMQ_DONTWAIT) }
  func receive() throws(MotionClientError) -> [UInt8]? {
    var message = zmq_msg_t()
    zmq_msg_init(&message)
    defer { zmq_msg_close(&message) }
    guard zmq_msg_recv(&message, raw, ZMQ_DONTWAIT) >= 0 else { return nil }
    return Array(UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message)))
  }
  func wait(upTo duration: Duration, orFor descriptor: Int32? = nil) throws(MotionClientError) {
    var items = [zmq_pollitem_t(socket: raw, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)]
    if let descriptor { items.append(zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0)) }
    let ms = max(0, Int(duration / .milliseconds(1)) + 1)
    zmq_poll(&items, Int32(items.count), ms)
  }
  func subscribe(to prefix: [UInt8]) throws(MotionClientError) { zmq_setsockopt(raw, ZMQ_SUBSCRIBE, prefix, prefix.count) }
  func unsubscribe(from prefix: [UInt8]) throws(MotionClientError) { zmq_setsockopt(raw, ZMQ_UNSUBSCRIBE, prefix, prefix.count) }
}
