public import Logging
import MotionModel
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The server: the page and the viewers' WebSockets, on one event loop. Each viewer has a session of motiond on a thread
/// of its own.
public final class StudioServer: Sendable {
  private static let revocationInterval = TimeAmount.seconds(1)

  /// The address of the page, with its token in the fragment.
  public let pageAddress: String
  /// The port that is listened at.
  public let port: Int

  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let state: StudioState

  /// Starts the server.
  ///
  /// - Throws: when the address is not one of this machine, or taken.
  public init(_ settings: StudioSettings, logger: Logger) throws(StudioError) {
    try Self.check(settings)
    let viewers = try settings.viewersFile.map { path throws(StudioError) in try ViewersFile(path).read() }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let token = AccessToken.random()
    let socket: any Channel
    let state: StudioState
    do {
      // Bound before it accepts, because the port is a part of who is admitted.
      let bound = Gate()
      socket = try ServerBootstrap(group: group).serverChannelOption(.backlog, value: 128)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).childChannelOption(.maxMessagesPerRead, value: 4)
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
        .childChannelOption(.socketOption(.so_sndbuf), value: StudioLimits.sendBuffer)
        .childChannelInitializer { channel in bound.prepare(channel) }
        .bind(host: settings.host, port: settings.port).wait()
      let port = socket.localAddress?.port ?? settings.port
      var access = Access(token: token, port: port, hosts: settings.hosts, origins: settings.origins)
      access.viewers = viewers ?? ViewerList()
      state = StudioState(settings, access, logger: logger)
      bound.open(state)
      self.port = port
    } catch {
      try? group.syncShutdownGracefully()
      throw StudioError(
        "cannot listen at \(settings.host):\(settings.port): \(error)",
        remedy: "Choose another port with --port, or end the program that has it")
    }
    (self.group, listener, self.state) = (group, socket, state)
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    pageAddress = "http://\(host):\(port)/#token=\(token.text)"
    if let path = settings.viewersFile { Self.watch(path, viewers ?? ViewerList(), state, on: group.next()) }
  }

  /// Closes all connections, and waits until that is done.
  public func stop() {
    try? listener.close().wait()
    try? group.syncShutdownGracefully()
  }

  private static func check(_ settings: StudioSettings) throws(StudioError) {
    let text = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    guard Authority(text)?.isLoopback == true else {
      throw StudioError(
        "\(settings.host) is not an address of this machine only, and motion-studio has no TLS",
        remedy: """
          Listen at 127.0.0.1, and reach it from another machine through a tunnel: ssh -L 8765:127.0.0.1:8765 MACHINE; \
          or let a proxy with TLS pass requests on, and name it with --host
          """, isUsage: true)
    }
    if let channels = settings.channels, TargetSelector.channels(channels) == nil {
      throw StudioError(
        "\"\(channels)\" is no pattern",
        remedy: "Write names of targets and patterns such as lamp* or lamp{1..12}, separated by commas",
        isUsage: true)
    }
  }

  /// Reads the file of viewers whenever it has changed.
  private static func watch(_ path: String, _ viewers: ViewerList, _ state: StudioState, on loop: any EventLoop) {
    let known = NIOLoopBoundBox.makeBoxSendingValue(viewers, eventLoop: loop)
    loop.scheduleRepeatedTask(initialDelay: revocationInterval, delay: revocationInterval) { _ in
      do throws(StudioError) {
        let present = try ViewersFile(path).read()
        guard present != known.value else { return }
        known.value = present
        state.follow(present)
        state.log("The file of viewers has changed: \(present.entries.count) have a token")
      } catch {
        // The viewers of before stay admitted: an error in the file disconnects nobody.
        state.refused("viewers", "\(error)")
      }
    }
  }
}
