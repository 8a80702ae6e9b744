import ArgumentParser
import MotionModel

/// The program: its commands in the order in which a new user needs them.
struct Motionctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motionctl",
    abstract: "Control motiond, the motion server: commit plans, watch values, see what moves them and why.",
    discussion: """
      A target is a named object with properties. An intention is a plan for them. A transaction is a list of \
      operations that is applied completely or not at all.

      Every command that takes a target accepts --target NAME; --to and --from are other spellings, except where they \
      name a part of a recording (list, draw, replay). Commands about targets (forget, stop, list, graph, watch, draw) \
      also accept targets as arguments. If a command takes several targets, repeat the option. In place of a name it \
      accepts a pattern, a group or a list: lamp*, lamp{1..12}, @front, left,right.

      EXAMPLES
        motionctl add SpringTo --to ball property=position destination=100,50
        motionctl watch ball
        motionctl commit show.json
        motionctl list properties

      EXIT CODES
        0 done   1 failed   2 usage   3 no daemon   4 refused   5 no answer in time
      """,
    version: Release.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Change",
        subcommands: [
          CommitFiles.self, Add.self, Remove.self, Forget.self, Limit.self, Group.self, SceneCommands.self,
          CueCommands.self,
          Stop.self, PlayInput.self,
        ]),
      CommandGroup(
        name: "Ask",
        subcommands: [
          Watch.self, Draw.self, List.self, ShowGraph.self, Why.self, Describe.self, ShowStatus.self, OpenPage.self,
        ]),
      CommandGroup(
        name: "Time",
        subcommands: [Pause.self, Resume.self, Speed.self, Step.self, Hold.self, ReleaseHold.self]),
      CommandGroup(
        name: "Recordings", subcommands: [RecordCommands.self, Replay.self, Export.self, Diff.self, ForkRecording.self]),
      CommandGroup(name: "Shell", subcommands: [RunShell.self]),
      CommandGroup(
        name: "Housekeeping",
        subcommands: [JournalCommands.self, PluginCommands.self, KeyCommands.self, Completions.self]),
    ])
}
