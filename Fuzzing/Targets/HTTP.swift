import MotionCoordinator

/// Requests for metrics: how they are cut into pieces on their way makes no difference.
enum HTTP {
  static func run(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let length = Int(first) + 1
    let request = bytes.dropFirst()
    var whole = HTTPRequestReader()
    let expected = whole.add(request)
    var reader = HTTPRequestReader()
    var rest = request
    var outcome: HTTPRequestReader.Outcome?
    while outcome == nil, !rest.isEmpty {
      outcome = reader.add(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    try require(
      outcome == expected,
      "whole it is \(String(describing: expected)), in pieces of \(length) \(String(describing: outcome))")
    switch expected {
    case .request(let method, let path): try require(!method.isEmpty && path.hasPrefix("/"), "\(method) \(path)")
    case .refused(let status): try require([400, 431, 505].contains(status), "the status is \(status)")
    case nil: try require(request.count <= HTTPRequestReader.longestHead, "a head has no end")
    }
  }
}
