package import MotionModel
import SwiftProtobuf

/// The messages for other readers: of an export's channels, and of the same channels of a live connection. A layout of a
/// viewer therefore fits both.
package enum SampleMessage {
  /// The type of a channel's messages.
  package struct Schema: Sendable {
    /// The full name of the message in motion.proto.
    package let name: String
    /// The FileDescriptorSet of the message.
    package let descriptorSet: [UInt8]
  }

  /// The encoding of the messages and of their schemas.
  package static var encoding: String { RecordingFile.encoding }

  /// The state of a property after a frame.
  package static let property = Schema(
    name: "motion.v1.PropertySample", descriptorSet: MessageDescriptors.propertySample)
  /// A property has another driver.
  package static let driver = Schema(name: "motion.v1.DriverSample", descriptorSet: MessageDescriptors.driverSample)
  /// Something happened.
  package static let event = Schema(name: "motion.v1.EventSample", descriptorSet: MessageDescriptors.eventSample)

  /// The topic of drivers.
  package static var driversTopic: String { "\(RecordingFile.profile)/drivers" }
  /// The topic of events.
  package static var eventsTopic: String { "\(RecordingFile.profile)/events" }

  /// The topic of a property's values: `values/TARGET/PROPERTY`.
  package static func topic(of reference: PropertyReference) -> String { "values/\(reference)" }

  /// The bytes of a property's state after a frame.
  ///
  /// - Parameters:
  ///   - time: the simulated time at the end of the frame.
  ///   - omitted: how many values between the previous message and this one were left out.
  package static func property(
    _ state: PropertyState, frame: UInt64, time: Double, omitted: UInt64 = 0
  ) -> [UInt8] {
    MessageBytes.encode(
      ProtoPropertySample.with {
        $0.frame = frame
        $0.time = time
        $0.value = state.value.array
        $0.velocity = state.velocity.array
        $0.omitted = omitted
      })
  }

  /// The bytes of a change of drivers.
  ///
  /// - Parameters:
  ///   - text: the new driver, see ``text(of:)``; empty if there is none.
  ///   - time: the simulated time from which it drives.
  package static func driver(
    _ text: String, of reference: PropertyReference, frame: UInt64, from time: Double
  ) -> [UInt8] {
    MessageBytes.encode(
      ProtoDriverSample.with {
        $0.frame = frame
        $0.time = time
        $0.target = reference.target.text
        $0.property = reference.property.text
        $0.driver = Encode.text(text)
      })
  }

  /// The bytes of an event.
  package static func event(_ text: String, frame: UInt64, time: Double) -> [UInt8] {
    MessageBytes.encode(
      ProtoEventSample.with {
        $0.frame = frame
        $0.time = time
        $0.text = Encode.text(text)
      })
  }

  /// A driver in words: `SpringTo 12.0 named x`; empty if there is none.
  package static func text(of driver: DriverChange.Driver?) -> String {
    driver.map { "\($0.type) \($0.identity)" + ($0.name.map { " named \($0)" } ?? "") } ?? ""
  }
}
