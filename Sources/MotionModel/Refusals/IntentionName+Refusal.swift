extension Name<IntentionNameRule> {
  /// The refusal of this name for new plans, although older plans may have it; `nil` for nearly all names.
  package var refusal: Refusal? {
    guard !ShownText.isPlain(text) else { return nil }
    return Refusal(
      .name, field: "named",
      "\"\(ShownText.escaping(text))\" has control characters or characters that change the direction of text",
      remedy: "Leave them out: names are shown in lists and logs.")
  }
}
