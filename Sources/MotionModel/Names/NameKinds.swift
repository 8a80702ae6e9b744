/// The name of a target, which has properties that move.
public typealias TargetName = Name<TargetNameRule>
/// The name of a property of a target: `position`, `opacity`, …
public typealias PropertyName = Name<PropertyNameRule>
/// The name under which an intention was added to a target, so that it can be removed or replaced.
public typealias IntentionName = Name<IntentionNameRule>
/// The name of a type of intention: `Tween`, `SpringTo`, …
public typealias IntentionType = Name<TypeNameRule<IntentionTypeNoun>>
/// The name of a type of executor: one executor of a type serves all intentions of its types on a target.
public typealias ExecutorType = Name<TypeNameRule<ExecutorTypeNoun>>
/// The name of a plugin: the folder that contains it.
public typealias PluginName = Name<PluginNameRule>
/// The name of a token: one running piece of remote execution of an executor.
public typealias TokenName = Name<TokenNameRule>
/// The name of an input device; it distinguishes the pointers of several devices.
public typealias DeviceName = Name<DeviceNameRule>
/// The name of an input value: of a fader, a sensor or a tracker.
public typealias InputName = Name<InputNameRule>

/// The name of a group of targets.
public typealias GroupName = Name<GroupNameRule>
/// The name of a scene.
public typealias SceneName = Name<SceneNameRule>

/// The name of a list of cues.
public typealias CueListName = Name<CueListNameRule>
/// The name of a cue.
public typealias CueName = Name<CueNameRule>

/// One to 128 of `A–Z a–z 0–9 _ . : -`.
public enum TargetNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "target"
  /// The rule in words.
  public static let rule = "use 1 to 128 of A-Z a-z 0-9 _ . : -"
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool {
    (1...Limits.targetNameBytes).contains(text.count)
      && text.allSatisfy {
        $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-")
      }
  }
}

/// One to 64 of `A–Z a–z 0–9 _ -`: neither dot nor slash, which separate target and property in topics.
public enum PropertyNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "property"
  /// The rule in words.
  public static let rule = "use 1 to 64 of A-Z a-z 0-9 _ -, without dot or slash"
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool {
    (1...Limits.propertyNameBytes).contains(text.count)
      && text.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
  }
}

/// One to 128 bytes of any text without control characters; case matters.
public enum IntentionNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "intention"
  /// The rule in words.
  public static let rule = "use 1 to 128 bytes without control characters"
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { text.isPlainText }
}

/// One to 128 bytes of any text without control characters; case matters.
public enum TokenNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "token"
  /// The rule in words.
  public static let rule = "use 1 to 128 bytes without control characters"
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { text.isPlainText }
}

/// One to 128 bytes of any text without control characters; case matters.
public enum DeviceNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "device"
  /// The rule in words.
  public static let rule = "use 1 to 128 bytes without control characters"
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { text.isPlainText }
}

/// One to 128 of `A–Z a–z 0–9 _ . : -`, like a target's: it is written before an equals sign.
public enum InputNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "input"
  /// The rule in words.
  public static let rule = TargetNameRule.rule
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { TargetNameRule.accepts(text) }
}

/// One to 128 of `A–Z a–z 0–9 _ . : -`, like a target's.
public enum GroupNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "group"
  /// The rule in words.
  public static let rule = TargetNameRule.rule
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { TargetNameRule.accepts(text) }
}

/// One to 128 of `A–Z a–z 0–9 _ . : -`, like a target's.
public enum SceneNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "scene"
  /// The rule in words.
  public static let rule = TargetNameRule.rule
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { TargetNameRule.accepts(text) }
}

/// One to 128 of `A–Z a–z 0–9 _ . : -`, like a target's.
public enum CueListNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "cue list"
  /// The rule in words.
  public static let rule = TargetNameRule.rule
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { TargetNameRule.accepts(text) }
}

/// One to 128 of `A–Z a–z 0–9 _ . : -`, like a target's.
public enum CueNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "cue"
  /// The rule in words.
  public static let rule = TargetNameRule.rule
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool { TargetNameRule.accepts(text) }
}

/// A letter, then up to 63 of `A–Z a–z 0–9 _ . -`.
public enum TypeNameRule<Noun: TypeNoun>: NameRule {
  /// The noun for the named item, for messages.
  public static var noun: String { Noun.noun }
  /// The rule in words.
  public static var rule: String { "use a letter, then up to 63 of A-Z a-z 0-9 _ . -" }
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool {
    guard let first = text.first, first.isLetter, text.count <= Limits.typeNameBytes else { return false }
    return text.allSatisfy {
      $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
        || $0 == UInt8(ascii: "-")
    }
  }
}

/// Distinguishes the two kinds of type names.
public protocol TypeNoun: Sendable {
  /// The noun for the kind of type, for messages.
  static var noun: String { get }
}

/// Marks names of types of intentions.
public enum IntentionTypeNoun: TypeNoun {
  /// The noun for the named item, for messages.
  public static let noun = "intention type"
}

/// Marks names of types of executors.
public enum ExecutorTypeNoun: TypeNoun {
  /// The noun for the named item, for messages.
  public static let noun = "executor type"
}

/// A lower-case letter or digit, then up to 63 of `a–z 0–9 . _ -`: a folder name that needs no quoting anywhere.
public enum PluginNameRule: NameRule {
  /// The noun for the named item, for messages.
  public static let noun = "plugin"
  /// The rule in words.
  public static let rule = "use a-z or 0-9, then up to 63 of a-z 0-9 . _ -"
  /// Whether the text follows the rule.
  public static func accepts(_ text: String.UTF8View) -> Bool {
    guard let first = text.first, first.isLowercaseOrDigit, text.count <= Limits.pluginNameBytes else { return false }
    return text.allSatisfy {
      $0.isLowercaseOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
        || $0 == UInt8(ascii: "-")
    }
  }
}

extension UInt8 {
  fileprivate var isLowercaseOrDigit: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) && self & 0x80 == 0
  }
  fileprivate var isLetterOrDigit: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}

extension String.UTF8View {
  /// 1 to 128 bytes, none of them an ASCII control character (DEL included).
  fileprivate var isPlainText: Bool {
    (1...Limits.intentionNameBytes).contains(count) && allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
