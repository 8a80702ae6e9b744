package import MotionModel

extension TargetSelector {
  /// The longest selector of channels: some names.
  private static let mostBytesOfChannels = 1024

  /// The targets that a viewer wants channels of; `nil` for a text that selects none. A viewer does not follow groups.
  package static func channels(_ text: String) -> TargetSelector? {
    guard text.utf8.count <= mostBytesOfChannels, let selector = try? TargetSelector(text), selector.hasNoGroups else {
      return nil
    }
    return selector
  }

  /// Whether a target has channels.
  package func matches(_ target: TargetName) -> Bool { contains(target) { _ in nil } }
}
