/// The metric names and descriptions of the status counters; a counter that is not listed keeps its own name.
enum MetricsCatalogue {
  /// A counter's name, kind and meaning.
  struct Entry {
    let name: String
    let kind: MetricsText.Kind
    let help: String

    init(_ name: String, _ help: String, kind: MetricsText.Kind = .counter) {
      (self.name, self.kind, self.help) = (name, kind, help)
    }
  }

  /// The prefix of the counters whose names end with a reason: one family, with the reason as its label.
  static let refusedPeers = "refused-peers-"

  static let counters: [String: Entry] = [
    "admitted-peers": Entry("motiond_admitted_peers_total", "Connections that were let in."),
    "bytes-from-clients": Entry("motiond_client_received_bytes_total", "Bytes of messages from clients."),
    "bytes-from-workers": Entry("motiond_worker_received_bytes_total", "Bytes of messages from workers."),
    "bytes-published": Entry("motiond_published_bytes_total", "Bytes of messages with values and outcomes."),
    "bytes-to-clients": Entry("motiond_client_sent_bytes_total", "Bytes of answers to clients."),
    "bytes-to-workers": Entry("motiond_worker_sent_bytes_total", "Bytes of messages to workers."),
    "commits": Entry("motiond_commits_total", "Transactions that were accepted."),
    "conflated-ticks": Entry("motiond_conflated_ticks_total", "Ticks that workers were too busy for."),
    "foreign-messages": Entry("motiond_foreign_messages_total", "Messages from peers that belong to nobody."),
    "forged-messages": Entry(
      "motiond_forged_messages_total", "Messages in the name of a worker that were not that worker's."),
    "frame-wake-ups": Entry("motiond_frame_wake_ups_total", "Wake-ups by the timer of frames."),
    "frames": Entry("motiond_frames_total", "Frames that were run."),
    "maintenance-wake-ups": Entry(
      "motiond_maintenance_wake_ups_total", "Wake-ups by the timer for what is not frames."),
    "late-frames": Entry("motiond_late_frames_total", "Frames that began more than a period late."),
    "left-out-log-lines": Entry(
      "motiond_left_out_log_lines_total", "Lines of workers' logs that were too many to be passed on."),
    "late-updates": Entry("motiond_late_updates_total", "Frames for which a worker's values came too late."),
    "link-fenced": Entry("motiond_link_fenced_messages_total", "Messages of workers that were given up already."),
    "link-gaps": Entry("motiond_link_gaps_total", "Gaps in what workers said."),
    "link-old": Entry("motiond_link_old_messages_total", "Messages of workers that were repeated or too late."),
    "link-stalls": Entry("motiond_link_stalls_total", "Times that workers' silence did not count, as we were stopped."),
    "link-unexpected": Entry("motiond_link_unexpected_messages_total", "Messages of workers at the wrong moment."),
    "malformed-messages": Entry("motiond_malformed_messages_total", "Messages that could not be read."),
    "messages-published": Entry("motiond_published_messages_total", "Messages with values and outcomes."),
    "refusals": Entry("motiond_refusals_total", "Requests of clients that were refused."),
    "refused-checkpoints": Entry(
      "motiond_refused_checkpoints_total", "Checkpoints that could not be read back, and were written anew as a whole."),
    "refused-connections": Entry(
      "motiond_refused_connections_total", "Connections for which there was no descriptor to spare."),
    "refused-subscriptions": Entry("motiond_refused_subscriptions_total", "Subscriptions that were refused."),
    "refused-tokens": Entry("motiond_refused_tokens_total", "Tokens that were too many for an executor."),
    "refused-writes": Entry("motiond_refused_writes_total", "Values of workers that were refused."),
    "requests": Entry("motiond_requests_total", "Requests of clients."),
    "skipped-frames": Entry("motiond_skipped_frames_total", "Frames that were too late and left out."),
    "stalls": Entry("motiond_stalls_total", "Times that the loop was stopped or too busy to hear anybody."),
    "step-timeouts": Entry("motiond_step_timeouts_total", "Steps for which a worker was waited for in vain."),
    "ticks": Entry("motiond_ticks_total", "Ticks that were sent to workers."),
    "topics": Entry("motiond_topics", "Topics that are subscribed to.", kind: .gauge),
    "turns": Entry("motiond_loop_turns_total", "Turns of the loop."),
    "unsent-replies": Entry("motiond_unsent_replies_total", "Answers that their clients did not take."),
  ]
}
