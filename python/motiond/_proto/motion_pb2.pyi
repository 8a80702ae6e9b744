from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
FIELD_SHAPE_CHOICE: FieldShape
FIELD_SHAPE_DURATION: FieldShape
FIELD_SHAPE_FLAG: FieldShape
FIELD_SHAPE_LIST: FieldShape
FIELD_SHAPE_NUMBER: FieldShape
FIELD_SHAPE_PROPERTY: FieldShape
FIELD_SHAPE_REFERENCE: FieldShape
FIELD_SHAPE_TEXT: FieldShape
FIELD_SHAPE_UNSPECIFIED: FieldShape
FIELD_SHAPE_VECTOR: FieldShape
INTENTION_KIND_MANIPULATION: IntentionKind
INTENTION_KIND_ONE_SHOT: IntentionKind
INTENTION_KIND_OUTPUT: IntentionKind
INTENTION_KIND_STANDING: IntentionKind
INTENTION_KIND_UNSPECIFIED: IntentionKind
OUTCOME_COMPLETED: Outcome
OUTCOME_DISPLACED: Outcome
OUTCOME_FAILED: Outcome
OUTCOME_UNSPECIFIED: Outcome

class Add(_message.Message):
    __slots__ = ["executor", "intention", "key"]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    INTENTION_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    executor: int
    intention: PlannedIntention
    key: ExecutorKey
    def __init__(self, executor: _Optional[int] = ..., key: _Optional[_Union[ExecutorKey, _Mapping]] = ..., intention: _Optional[_Union[PlannedIntention, _Mapping]] = ...) -> None: ...

class Alive(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class Answer(_message.Message):
    __slots__ = ["clients", "cues", "executors", "first_frame", "graph", "groups", "inputs", "intentions", "last_frame", "plugins", "properties", "scenes", "snapshot", "status", "targets", "tokens", "types", "waiting", "why"]
    class Clients(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[ClientRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[ClientRow, _Mapping]]] = ...) -> None: ...
    class CueLists(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[CueListRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[CueListRow, _Mapping]]] = ...) -> None: ...
    class Executors(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[ExecutorRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[ExecutorRow, _Mapping]]] = ...) -> None: ...
    class Groups(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[Operation.Group]
        def __init__(self, rows: _Optional[_Iterable[_Union[Operation.Group, _Mapping]]] = ...) -> None: ...
    class Inputs(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[InputRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[InputRow, _Mapping]]] = ...) -> None: ...
    class Intentions(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[IntentionRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[IntentionRow, _Mapping]]] = ...) -> None: ...
    class Plugins(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[PluginRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[PluginRow, _Mapping]]] = ...) -> None: ...
    class Properties(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[PropertyRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[PropertyRow, _Mapping]]] = ...) -> None: ...
    class Scenes(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[SceneRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[SceneRow, _Mapping]]] = ...) -> None: ...
    class Targets(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[TargetRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[TargetRow, _Mapping]]] = ...) -> None: ...
    class Tokens(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[TokenRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[TokenRow, _Mapping]]] = ...) -> None: ...
    class Types(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[IntentionDescription]
        def __init__(self, rows: _Optional[_Iterable[_Union[IntentionDescription, _Mapping]]] = ...) -> None: ...
    class Waiting(_message.Message):
        __slots__ = ["rows"]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        rows: _containers.RepeatedCompositeFieldContainer[WaitingRow]
        def __init__(self, rows: _Optional[_Iterable[_Union[WaitingRow, _Mapping]]] = ...) -> None: ...
    CLIENTS_FIELD_NUMBER: _ClassVar[int]
    CUES_FIELD_NUMBER: _ClassVar[int]
    EXECUTORS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FRAME_FIELD_NUMBER: _ClassVar[int]
    GRAPH_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    INTENTIONS_FIELD_NUMBER: _ClassVar[int]
    LAST_FRAME_FIELD_NUMBER: _ClassVar[int]
    PLUGINS_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    SCENES_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    clients: Answer.Clients
    cues: Answer.CueLists
    executors: Answer.Executors
    first_frame: int
    graph: Graph
    groups: Answer.Groups
    inputs: Answer.Inputs
    intentions: Answer.Intentions
    last_frame: int
    plugins: Answer.Plugins
    properties: Answer.Properties
    scenes: Answer.Scenes
    snapshot: RecordingHeader
    status: Status
    targets: Answer.Targets
    tokens: Answer.Tokens
    types: Answer.Types
    waiting: Answer.Waiting
    why: Explanation
    def __init__(self, targets: _Optional[_Union[Answer.Targets, _Mapping]] = ..., properties: _Optional[_Union[Answer.Properties, _Mapping]] = ..., executors: _Optional[_Union[Answer.Executors, _Mapping]] = ..., intentions: _Optional[_Union[Answer.Intentions, _Mapping]] = ..., tokens: _Optional[_Union[Answer.Tokens, _Mapping]] = ..., plugins: _Optional[_Union[Answer.Plugins, _Mapping]] = ..., types: _Optional[_Union[Answer.Types, _Mapping]] = ..., status: _Optional[_Union[Status, _Mapping]] = ..., graph: _Optional[_Union[Graph, _Mapping]] = ..., waiting: _Optional[_Union[Answer.Waiting, _Mapping]] = ..., inputs: _Optional[_Union[Answer.Inputs, _Mapping]] = ..., clients: _Optional[_Union[Answer.Clients, _Mapping]] = ..., snapshot: _Optional[_Union[RecordingHeader, _Mapping]] = ..., why: _Optional[_Union[Explanation, _Mapping]] = ..., groups: _Optional[_Union[Answer.Groups, _Mapping]] = ..., scenes: _Optional[_Union[Answer.Scenes, _Mapping]] = ..., cues: _Optional[_Union[Answer.CueLists, _Mapping]] = ..., first_frame: _Optional[int] = ..., last_frame: _Optional[int] = ...) -> None: ...

class Assignment(_message.Message):
    __slots__ = ["commands_port", "events_port", "incarnation", "lease", "rests_when_lost", "ticks_port"]
    COMMANDS_PORT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_PORT_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    RESTS_WHEN_LOST_FIELD_NUMBER: _ClassVar[int]
    TICKS_PORT_FIELD_NUMBER: _ClassVar[int]
    commands_port: int
    events_port: int
    incarnation: int
    lease: float
    rests_when_lost: bool
    ticks_port: int
    def __init__(self, incarnation: _Optional[int] = ..., lease: _Optional[float] = ..., commands_port: _Optional[int] = ..., ticks_port: _Optional[int] = ..., events_port: _Optional[int] = ..., rests_when_lost: bool = ...) -> None: ...

class Cancel(_message.Message):
    __slots__ = ["sequence"]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    def __init__(self, sequence: _Optional[int] = ...) -> None: ...

class Checkpoint(_message.Message):
    __slots__ = ["clock", "cues", "frame", "governed", "groups", "handovers", "last_sequence", "limits", "owners", "places", "plans", "scenes", "targets", "values", "velocities", "waiting"]
    class Governed(_message.Message):
        __slots__ = ["acceleration", "demand", "demand_acceleration", "distance", "driven", "motion", "pending", "property", "ramp"]
        ACCELERATION_FIELD_NUMBER: _ClassVar[int]
        DEMAND_ACCELERATION_FIELD_NUMBER: _ClassVar[int]
        DEMAND_FIELD_NUMBER: _ClassVar[int]
        DISTANCE_FIELD_NUMBER: _ClassVar[int]
        DRIVEN_FIELD_NUMBER: _ClassVar[int]
        MOTION_FIELD_NUMBER: _ClassVar[int]
        PENDING_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        RAMP_FIELD_NUMBER: _ClassVar[int]
        acceleration: _containers.RepeatedScalarFieldContainer[float]
        demand: PropertyState
        demand_acceleration: _containers.RepeatedScalarFieldContainer[float]
        distance: _containers.RepeatedScalarFieldContainer[float]
        driven: bool
        motion: PropertyState
        pending: bool
        property: PropertyReference
        ramp: _containers.RepeatedScalarFieldContainer[float]
        def __init__(self, property: _Optional[_Union[PropertyReference, _Mapping]] = ..., acceleration: _Optional[_Iterable[float]] = ..., demand: _Optional[_Union[PropertyState, _Mapping]] = ..., demand_acceleration: _Optional[_Iterable[float]] = ..., driven: bool = ..., pending: bool = ..., motion: _Optional[_Union[PropertyState, _Mapping]] = ..., distance: _Optional[_Iterable[float]] = ..., ramp: _Optional[_Iterable[float]] = ...) -> None: ...
    class Handover(_message.Message):
        __slots__ = ["difference", "property", "remaining"]
        DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        REMAINING_FIELD_NUMBER: _ClassVar[int]
        difference: PropertyState
        property: PropertyReference
        remaining: float
        def __init__(self, property: _Optional[_Union[PropertyReference, _Mapping]] = ..., difference: _Optional[_Union[PropertyState, _Mapping]] = ..., remaining: _Optional[float] = ...) -> None: ...
    class Owner(_message.Message):
        __slots__ = ["client", "sequences"]
        CLIENT_FIELD_NUMBER: _ClassVar[int]
        SEQUENCES_FIELD_NUMBER: _ClassVar[int]
        client: int
        sequences: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, client: _Optional[int] = ..., sequences: _Optional[_Iterable[int]] = ...) -> None: ...
    class Plan(_message.Message):
        __slots__ = ["begins", "duration", "emitted", "emitted_below", "identity", "intention", "limits", "name", "places", "provenance", "start", "target"]
        BEGINS_FIELD_NUMBER: _ClassVar[int]
        DURATION_FIELD_NUMBER: _ClassVar[int]
        EMITTED_BELOW_FIELD_NUMBER: _ClassVar[int]
        EMITTED_FIELD_NUMBER: _ClassVar[int]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        INTENTION_FIELD_NUMBER: _ClassVar[int]
        LIMITS_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        PLACES_FIELD_NUMBER: _ClassVar[int]
        PROVENANCE_FIELD_NUMBER: _ClassVar[int]
        START_FIELD_NUMBER: _ClassVar[int]
        TARGET_FIELD_NUMBER: _ClassVar[int]
        begins: float
        duration: float
        emitted: _containers.RepeatedScalarFieldContainer[int]
        emitted_below: int
        identity: IntentionIdentity
        intention: Intention
        limits: LimitSetting
        name: str
        places: _containers.RepeatedCompositeFieldContainer[PlannedIntention.Start]
        provenance: Provenance
        start: Checkpoint.Start
        target: str
        def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., target: _Optional[str] = ..., name: _Optional[str] = ..., intention: _Optional[_Union[Intention, _Mapping]] = ..., start: _Optional[_Union[Checkpoint.Start, _Mapping]] = ..., places: _Optional[_Iterable[_Union[PlannedIntention.Start, _Mapping]]] = ..., emitted_below: _Optional[int] = ..., emitted: _Optional[_Iterable[int]] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ..., duration: _Optional[float] = ..., limits: _Optional[_Union[LimitSetting, _Mapping]] = ..., begins: _Optional[float] = ...) -> None: ...
    class Property(_message.Message):
        __slots__ = ["first", "lanes", "limits", "name"]
        FIRST_FIELD_NUMBER: _ClassVar[int]
        LANES_FIELD_NUMBER: _ClassVar[int]
        LIMITS_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        first: int
        lanes: int
        limits: LimitSetting
        name: str
        def __init__(self, name: _Optional[str] = ..., lanes: _Optional[int] = ..., first: _Optional[int] = ..., limits: _Optional[_Union[LimitSetting, _Mapping]] = ...) -> None: ...
    class Start(_message.Message):
        __slots__ = ["frame", "time"]
        FRAME_FIELD_NUMBER: _ClassVar[int]
        TIME_FIELD_NUMBER: _ClassVar[int]
        frame: int
        time: float
        def __init__(self, frame: _Optional[int] = ..., time: _Optional[float] = ...) -> None: ...
    class StoredCueList(_message.Message):
        __slots__ = ["list", "number", "position"]
        LIST_FIELD_NUMBER: _ClassVar[int]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        POSITION_FIELD_NUMBER: _ClassVar[int]
        list: Operation.CueList
        number: int
        position: Operation.CuePosition
        def __init__(self, list: _Optional[_Union[Operation.CueList, _Mapping]] = ..., position: _Optional[_Union[Operation.CuePosition, _Mapping]] = ..., number: _Optional[int] = ...) -> None: ...
    class StoredScene(_message.Message):
        __slots__ = ["number", "scene"]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        SCENE_FIELD_NUMBER: _ClassVar[int]
        number: int
        scene: Operation.Scene
        def __init__(self, scene: _Optional[_Union[Operation.Scene, _Mapping]] = ..., number: _Optional[int] = ...) -> None: ...
    class Target(_message.Message):
        __slots__ = ["name", "properties"]
        NAME_FIELD_NUMBER: _ClassVar[int]
        PROPERTIES_FIELD_NUMBER: _ClassVar[int]
        name: str
        properties: _containers.RepeatedCompositeFieldContainer[Checkpoint.Property]
        def __init__(self, name: _Optional[str] = ..., properties: _Optional[_Iterable[_Union[Checkpoint.Property, _Mapping]]] = ...) -> None: ...
    class Waiting(_message.Message):
        __slots__ = ["at", "operations", "provenance", "sequence"]
        AT_FIELD_NUMBER: _ClassVar[int]
        OPERATIONS_FIELD_NUMBER: _ClassVar[int]
        PROVENANCE_FIELD_NUMBER: _ClassVar[int]
        SEQUENCE_FIELD_NUMBER: _ClassVar[int]
        at: float
        operations: _containers.RepeatedCompositeFieldContainer[Operation]
        provenance: Provenance
        sequence: int
        def __init__(self, at: _Optional[float] = ..., sequence: _Optional[int] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ...) -> None: ...
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    CUES_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    GOVERNED_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    HANDOVERS_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    PLANS_FIELD_NUMBER: _ClassVar[int]
    SCENES_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    VELOCITIES_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    clock: ClockState
    cues: _containers.RepeatedCompositeFieldContainer[Checkpoint.StoredCueList]
    frame: Frame
    governed: _containers.RepeatedCompositeFieldContainer[Checkpoint.Governed]
    groups: _containers.RepeatedCompositeFieldContainer[Operation.Group]
    handovers: _containers.RepeatedCompositeFieldContainer[Checkpoint.Handover]
    last_sequence: int
    limits: _containers.RepeatedCompositeFieldContainer[Operation.Limit]
    owners: _containers.RepeatedCompositeFieldContainer[Checkpoint.Owner]
    places: bytes
    plans: _containers.RepeatedCompositeFieldContainer[Checkpoint.Plan]
    scenes: _containers.RepeatedCompositeFieldContainer[Checkpoint.StoredScene]
    targets: _containers.RepeatedCompositeFieldContainer[Checkpoint.Target]
    values: _containers.RepeatedScalarFieldContainer[float]
    velocities: _containers.RepeatedScalarFieldContainer[float]
    waiting: _containers.RepeatedCompositeFieldContainer[Checkpoint.Waiting]
    def __init__(self, frame: _Optional[_Union[Frame, _Mapping]] = ..., clock: _Optional[_Union[ClockState, _Mapping]] = ..., last_sequence: _Optional[int] = ..., targets: _Optional[_Iterable[_Union[Checkpoint.Target, _Mapping]]] = ..., plans: _Optional[_Iterable[_Union[Checkpoint.Plan, _Mapping]]] = ..., waiting: _Optional[_Iterable[_Union[Checkpoint.Waiting, _Mapping]]] = ..., owners: _Optional[_Iterable[_Union[Checkpoint.Owner, _Mapping]]] = ..., values: _Optional[_Iterable[float]] = ..., velocities: _Optional[_Iterable[float]] = ..., places: _Optional[bytes] = ..., handovers: _Optional[_Iterable[_Union[Checkpoint.Handover, _Mapping]]] = ..., limits: _Optional[_Iterable[_Union[Operation.Limit, _Mapping]]] = ..., governed: _Optional[_Iterable[_Union[Checkpoint.Governed, _Mapping]]] = ..., groups: _Optional[_Iterable[_Union[Operation.Group, _Mapping]]] = ..., scenes: _Optional[_Iterable[_Union[Checkpoint.StoredScene, _Mapping]]] = ..., cues: _Optional[_Iterable[_Union[Checkpoint.StoredCueList, _Mapping]]] = ...) -> None: ...

class Claim(_message.Message):
    __slots__ = ["address", "attempt", "claimant", "handshake_versions", "host", "process_id"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    CLAIMANT_FIELD_NUMBER: _ClassVar[int]
    HANDSHAKE_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    address: WorkerAddress
    attempt: int
    claimant: int
    handshake_versions: VersionRange
    host: str
    process_id: int
    def __init__(self, handshake_versions: _Optional[_Union[VersionRange, _Mapping]] = ..., address: _Optional[_Union[WorkerAddress, _Mapping]] = ..., claimant: _Optional[int] = ..., attempt: _Optional[int] = ..., process_id: _Optional[int] = ..., host: _Optional[str] = ...) -> None: ...

class ClientRow(_message.Message):
    __slots__ = ["client", "inputs", "pointers", "silent", "since", "transactions"]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    POINTERS_FIELD_NUMBER: _ClassVar[int]
    SILENT_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    TRANSACTIONS_FIELD_NUMBER: _ClassVar[int]
    client: Committer
    inputs: int
    pointers: int
    silent: float
    since: int
    transactions: int
    def __init__(self, client: _Optional[_Union[Committer, _Mapping]] = ..., since: _Optional[int] = ..., silent: _Optional[float] = ..., transactions: _Optional[int] = ..., pointers: _Optional[int] = ..., inputs: _Optional[int] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ["hold", "pause", "release", "resume", "speed", "step"]
    class Pause(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    class Release(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    class Resume(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    HOLD_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    SPEED_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    hold: ClockHold
    pause: Clock.Pause
    release: Clock.Release
    resume: Clock.Resume
    speed: float
    step: int
    def __init__(self, pause: _Optional[_Union[Clock.Pause, _Mapping]] = ..., resume: _Optional[_Union[Clock.Resume, _Mapping]] = ..., speed: _Optional[float] = ..., step: _Optional[int] = ..., hold: _Optional[_Union[ClockHold, _Mapping]] = ..., release: _Optional[_Union[Clock.Release, _Mapping]] = ...) -> None: ...

class ClockHold(_message.Message):
    __slots__ = ["by", "refuse", "since"]
    BY_FIELD_NUMBER: _ClassVar[int]
    REFUSE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    by: Committer
    refuse: bool
    since: int
    def __init__(self, refuse: bool = ..., since: _Optional[int] = ..., by: _Optional[_Union[Committer, _Mapping]] = ...) -> None: ...

class ClockState(_message.Message):
    __slots__ = ["hold", "paused", "speed", "time"]
    HOLD_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    SPEED_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    hold: ClockHold
    paused: bool
    speed: float
    time: float
    def __init__(self, time: _Optional[float] = ..., speed: _Optional[float] = ..., paused: bool = ..., hold: _Optional[_Union[ClockHold, _Mapping]] = ...) -> None: ...

class Command(_message.Message):
    __slots__ = ["add", "displaced", "input", "number", "properties", "remove", "remove_executor", "resumed", "shutdown"]
    ADD_FIELD_NUMBER: _ClassVar[int]
    DISPLACED_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    REMOVE_EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    SHUTDOWN_FIELD_NUMBER: _ClassVar[int]
    add: Add
    displaced: Displaced
    input: ExecutorInput
    number: int
    properties: Properties
    remove: Remove
    remove_executor: RemoveExecutor
    resumed: Resumed
    shutdown: Shutdown
    def __init__(self, number: _Optional[int] = ..., add: _Optional[_Union[Add, _Mapping]] = ..., remove: _Optional[_Union[Remove, _Mapping]] = ..., remove_executor: _Optional[_Union[RemoveExecutor, _Mapping]] = ..., displaced: _Optional[_Union[Displaced, _Mapping]] = ..., resumed: _Optional[_Union[Resumed, _Mapping]] = ..., properties: _Optional[_Union[Properties, _Mapping]] = ..., shutdown: _Optional[_Union[Shutdown, _Mapping]] = ..., input: _Optional[_Union[ExecutorInput, _Mapping]] = ...) -> None: ...

class Commit(_message.Message):
    __slots__ = ["at", "client", "comment", "id_high", "id_low", "on_behalf_of", "operations", "while_connected"]
    AT_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    ID_HIGH_FIELD_NUMBER: _ClassVar[int]
    ID_LOW_FIELD_NUMBER: _ClassVar[int]
    ON_BEHALF_OF_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    WHILE_CONNECTED_FIELD_NUMBER: _ClassVar[int]
    at: float
    client: str
    comment: str
    id_high: int
    id_low: int
    on_behalf_of: Committer
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    while_connected: bool
    def __init__(self, id_high: _Optional[int] = ..., id_low: _Optional[int] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., at: _Optional[float] = ..., while_connected: bool = ..., comment: _Optional[str] = ..., client: _Optional[str] = ..., on_behalf_of: _Optional[_Union[Committer, _Mapping]] = ...) -> None: ...

class Committer(_message.Message):
    __slots__ = ["key", "name", "process", "user"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROCESS_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    key: str
    name: str
    process: int
    user: int
    def __init__(self, name: _Optional[str] = ..., user: _Optional[int] = ..., process: _Optional[int] = ..., key: _Optional[str] = ...) -> None: ...

class CoordinatorHeartbeat(_message.Message):
    __slots__ = ["heard_sent", "interval", "last_command", "last_event_applied", "lease"]
    HEARD_SENT_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_FIELD_NUMBER: _ClassVar[int]
    LAST_COMMAND_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_APPLIED_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    heard_sent: int
    interval: float
    last_command: int
    last_event_applied: int
    lease: float
    def __init__(self, last_command: _Optional[int] = ..., last_event_applied: _Optional[int] = ..., interval: _Optional[float] = ..., lease: _Optional[float] = ..., heard_sent: _Optional[int] = ...) -> None: ...

class CueListRow(_message.Message):
    __slots__ = ["content", "count", "current", "next", "position"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    content: Operation.CueList
    count: int
    current: str
    next: str
    position: Operation.CuePosition
    def __init__(self, position: _Optional[_Union[Operation.CuePosition, _Mapping]] = ..., count: _Optional[int] = ..., current: _Optional[str] = ..., next: _Optional[str] = ..., content: _Optional[_Union[Operation.CueList, _Mapping]] = ...) -> None: ...

class Displaced(_message.Message):
    __slots__ = ["executor", "property"]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    executor: int
    property: str
    def __init__(self, executor: _Optional[int] = ..., property: _Optional[str] = ...) -> None: ...

class Done(_message.Message):
    __slots__ = ["clock", "unkept"]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    UNKEPT_FIELD_NUMBER: _ClassVar[int]
    clock: ClockState
    unkept: str
    def __init__(self, clock: _Optional[_Union[ClockState, _Mapping]] = ..., unkept: _Optional[str] = ...) -> None: ...

class DriverSample(_message.Message):
    __slots__ = ["driver", "frame", "property", "target", "time"]
    DRIVER_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    driver: str
    frame: int
    property: str
    target: str
    time: float
    def __init__(self, frame: _Optional[int] = ..., time: _Optional[float] = ..., target: _Optional[str] = ..., property: _Optional[str] = ..., driver: _Optional[str] = ...) -> None: ...

class Drivers(_message.Message):
    __slots__ = ["changes"]
    class Change(_message.Message):
        __slots__ = ["driver", "frame", "property", "time"]
        DRIVER_FIELD_NUMBER: _ClassVar[int]
        FRAME_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        TIME_FIELD_NUMBER: _ClassVar[int]
        driver: Drivers.Driver
        frame: int
        property: PropertyReference
        time: float
        def __init__(self, property: _Optional[_Union[PropertyReference, _Mapping]] = ..., frame: _Optional[int] = ..., time: _Optional[float] = ..., driver: _Optional[_Union[Drivers.Driver, _Mapping]] = ...) -> None: ...
    class Driver(_message.Message):
        __slots__ = ["executor", "identity", "name", "type"]
        EXECUTOR_FIELD_NUMBER: _ClassVar[int]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        executor: str
        identity: IntentionIdentity
        name: str
        type: str
        def __init__(self, executor: _Optional[str] = ..., identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., type: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[Drivers.Change]
    def __init__(self, changes: _Optional[_Iterable[_Union[Drivers.Change, _Mapping]]] = ...) -> None: ...

class Duration(_message.Message):
    __slots__ = ["attoseconds", "nanoseconds"]
    ATTOSECONDS_FIELD_NUMBER: _ClassVar[int]
    NANOSECONDS_FIELD_NUMBER: _ClassVar[int]
    attoseconds: int
    nanoseconds: int
    def __init__(self, nanoseconds: _Optional[int] = ..., attoseconds: _Optional[int] = ...) -> None: ...

class Ended(_message.Message):
    __slots__ = ["intentions"]
    class Intention(_message.Message):
        __slots__ = ["frame", "identity", "name", "outcome", "reason", "target", "type"]
        FRAME_FIELD_NUMBER: _ClassVar[int]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        OUTCOME_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        TARGET_FIELD_NUMBER: _ClassVar[int]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        frame: int
        identity: IntentionIdentity
        name: str
        outcome: Outcome
        reason: str
        target: str
        type: str
        def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., target: _Optional[str] = ..., type: _Optional[str] = ..., name: _Optional[str] = ..., frame: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., reason: _Optional[str] = ...) -> None: ...
    INTENTIONS_FIELD_NUMBER: _ClassVar[int]
    intentions: _containers.RepeatedCompositeFieldContainer[Ended.Intention]
    def __init__(self, intentions: _Optional[_Iterable[_Union[Ended.Intention, _Mapping]]] = ...) -> None: ...

class Envelope(_message.Message):
    __slots__ = ["alive", "answer", "assignment", "cancel", "claim", "clock", "command", "commit", "coordinator_heartbeat", "done", "drivers", "ended", "epoch", "greeting", "hello", "history", "history_request", "incarnation", "input", "inspect", "log", "moment", "names", "protocol", "query", "receipt", "record", "refusal", "reply_to", "restart", "resync", "sent", "sequence", "service", "snapshot", "stop", "stream_report", "tick", "update", "values", "welcome", "worker_heartbeat"]
    ALIVE_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    ASSIGNMENT_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    COORDINATOR_HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    DRIVERS_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    GREETING_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    HISTORY_REQUEST_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    INSPECT_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    MOMENT_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    REPLY_TO_FIELD_NUMBER: _ClassVar[int]
    RESTART_FIELD_NUMBER: _ClassVar[int]
    RESYNC_FIELD_NUMBER: _ClassVar[int]
    SENT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SERVICE_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    STREAM_REPORT_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    WORKER_HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    alive: Alive
    answer: Answer
    assignment: Assignment
    cancel: Cancel
    claim: Claim
    clock: Clock
    command: Command
    commit: Commit
    coordinator_heartbeat: CoordinatorHeartbeat
    done: Done
    drivers: Drivers
    ended: Ended
    epoch: int
    greeting: Greeting
    hello: Hello
    history: History
    history_request: HistoryRequest
    incarnation: int
    input: Input
    inspect: Inspect
    log: Log
    moment: Moment
    names: Names
    protocol: int
    query: Query
    receipt: Receipt
    record: Record
    refusal: Refusal
    reply_to: int
    restart: Restart
    resync: Resync
    sent: int
    sequence: int
    service: Service
    snapshot: Snapshot
    stop: Stop
    stream_report: StreamReport
    tick: Tick
    update: Update
    values: Values
    welcome: Welcome
    worker_heartbeat: WorkerHeartbeat
    def __init__(self, protocol: _Optional[int] = ..., epoch: _Optional[int] = ..., incarnation: _Optional[int] = ..., sequence: _Optional[int] = ..., reply_to: _Optional[int] = ..., sent: _Optional[int] = ..., moment: _Optional[_Union[Moment, _Mapping]] = ..., greeting: _Optional[_Union[Greeting, _Mapping]] = ..., commit: _Optional[_Union[Commit, _Mapping]] = ..., query: _Optional[_Union[Query, _Mapping]] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., stop: _Optional[_Union[Stop, _Mapping]] = ..., alive: _Optional[_Union[Alive, _Mapping]] = ..., restart: _Optional[_Union[Restart, _Mapping]] = ..., input: _Optional[_Union[Input, _Mapping]] = ..., cancel: _Optional[_Union[Cancel, _Mapping]] = ..., record: _Optional[_Union[Record, _Mapping]] = ..., history_request: _Optional[_Union[HistoryRequest, _Mapping]] = ..., service: _Optional[_Union[Service, _Mapping]] = ..., receipt: _Optional[_Union[Receipt, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ..., done: _Optional[_Union[Done, _Mapping]] = ..., history: _Optional[_Union[History, _Mapping]] = ..., values: _Optional[_Union[Values, _Mapping]] = ..., names: _Optional[_Union[Names, _Mapping]] = ..., ended: _Optional[_Union[Ended, _Mapping]] = ..., drivers: _Optional[_Union[Drivers, _Mapping]] = ..., hello: _Optional[_Union[Hello, _Mapping]] = ..., welcome: _Optional[_Union[Welcome, _Mapping]] = ..., resync: _Optional[_Union[Resync, _Mapping]] = ..., snapshot: _Optional[_Union[Snapshot, _Mapping]] = ..., inspect: _Optional[_Union[Inspect, _Mapping]] = ..., stream_report: _Optional[_Union[StreamReport, _Mapping]] = ..., claim: _Optional[_Union[Claim, _Mapping]] = ..., assignment: _Optional[_Union[Assignment, _Mapping]] = ..., command: _Optional[_Union[Command, _Mapping]] = ..., coordinator_heartbeat: _Optional[_Union[CoordinatorHeartbeat, _Mapping]] = ..., tick: _Optional[_Union[Tick, _Mapping]] = ..., update: _Optional[_Union[Update, _Mapping]] = ..., worker_heartbeat: _Optional[_Union[WorkerHeartbeat, _Mapping]] = ..., log: _Optional[_Union[Log, _Mapping]] = ...) -> None: ...

class EventSample(_message.Message):
    __slots__ = ["frame", "text", "time"]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    frame: int
    text: str
    time: float
    def __init__(self, frame: _Optional[int] = ..., time: _Optional[float] = ..., text: _Optional[str] = ...) -> None: ...

class ExecutorInput(_message.Message):
    __slots__ = ["executor", "input", "properties"]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    executor: int
    input: Input
    properties: _containers.RepeatedCompositeFieldContainer[ReadProperty]
    def __init__(self, executor: _Optional[int] = ..., input: _Optional[_Union[Input, _Mapping]] = ..., properties: _Optional[_Iterable[_Union[ReadProperty, _Mapping]]] = ...) -> None: ...

class ExecutorKey(_message.Message):
    __slots__ = ["target", "type"]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    target: str
    type: str
    def __init__(self, target: _Optional[str] = ..., type: _Optional[str] = ...) -> None: ...

class ExecutorRow(_message.Message):
    __slots__ = ["active", "drives", "intentions", "key", "tokens", "worker"]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    DRIVES_FIELD_NUMBER: _ClassVar[int]
    INTENTIONS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    active: bool
    drives: _containers.RepeatedScalarFieldContainer[str]
    intentions: int
    key: ExecutorKey
    tokens: _containers.RepeatedScalarFieldContainer[str]
    worker: WorkerAddress
    def __init__(self, key: _Optional[_Union[ExecutorKey, _Mapping]] = ..., worker: _Optional[_Union[WorkerAddress, _Mapping]] = ..., intentions: _Optional[int] = ..., tokens: _Optional[_Iterable[str]] = ..., active: bool = ..., drives: _Optional[_Iterable[str]] = ...) -> None: ...

class Explanation(_message.Message):
    __slots__ = ["ancestors", "began", "fading", "former", "frame", "lateness", "mover", "plan", "property", "restraints", "since", "time", "together", "waiting", "worker"]
    class End(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    class FormerPlan(_message.Message):
        __slots__ = ["end", "identity", "name", "provenance", "stopper", "time", "type"]
        END_FIELD_NUMBER: _ClassVar[int]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        PROVENANCE_FIELD_NUMBER: _ClassVar[int]
        STOPPER_FIELD_NUMBER: _ClassVar[int]
        TIME_FIELD_NUMBER: _ClassVar[int]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        end: Explanation.End
        identity: IntentionIdentity
        name: str
        provenance: Provenance
        stopper: Committer
        time: float
        type: str
        def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., type: _Optional[str] = ..., name: _Optional[str] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ..., end: _Optional[_Union[Explanation.End, str]] = ..., time: _Optional[float] = ..., stopper: _Optional[_Union[Committer, _Mapping]] = ...) -> None: ...
    class Lateness(_message.Message):
        __slots__ = ["catching_up", "frames_behind", "retreating", "silent_since"]
        class CatchingUp(_message.Message):
            __slots__ = []
            def __init__(self) -> None: ...
        class Retreating(_message.Message):
            __slots__ = []
            def __init__(self) -> None: ...
        CATCHING_UP_FIELD_NUMBER: _ClassVar[int]
        FRAMES_BEHIND_FIELD_NUMBER: _ClassVar[int]
        RETREATING_FIELD_NUMBER: _ClassVar[int]
        SILENT_SINCE_FIELD_NUMBER: _ClassVar[int]
        catching_up: Explanation.Lateness.CatchingUp
        frames_behind: int
        retreating: Explanation.Lateness.Retreating
        silent_since: float
        def __init__(self, silent_since: _Optional[float] = ..., frames_behind: _Optional[int] = ..., retreating: _Optional[_Union[Explanation.Lateness.Retreating, _Mapping]] = ..., catching_up: _Optional[_Union[Explanation.Lateness.CatchingUp, _Mapping]] = ...) -> None: ...
    class WorkerFact(_message.Message):
        __slots__ = ["quarantine", "serving", "worker"]
        QUARANTINE_FIELD_NUMBER: _ClassVar[int]
        SERVING_FIELD_NUMBER: _ClassVar[int]
        WORKER_FIELD_NUMBER: _ClassVar[int]
        quarantine: str
        serving: bool
        worker: WorkerAddress
        def __init__(self, worker: _Optional[_Union[WorkerAddress, _Mapping]] = ..., serving: bool = ..., quarantine: _Optional[str] = ...) -> None: ...
    ANCESTORS_FIELD_NUMBER: _ClassVar[int]
    BEGAN_FIELD_NUMBER: _ClassVar[int]
    END_COMPLETED: Explanation.End
    END_DISPLACED: Explanation.End
    END_FAILED: Explanation.End
    END_REMOVED: Explanation.End
    END_STOPPED: Explanation.End
    END_UNSPECIFIED: Explanation.End
    FADING_FIELD_NUMBER: _ClassVar[int]
    FORMER_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    LATENESS_FIELD_NUMBER: _ClassVar[int]
    MOVER_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    RESTRAINTS_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    TOGETHER_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    ancestors: _containers.RepeatedCompositeFieldContainer[IntentionRow]
    began: float
    fading: float
    former: Explanation.FormerPlan
    frame: int
    lateness: Explanation.Lateness
    mover: str
    plan: IntentionRow
    property: PropertyRow
    restraints: _containers.RepeatedScalarFieldContainer[Receipt.Limited.Limit]
    since: float
    time: float
    together: _containers.RepeatedCompositeFieldContainer[IntentionRow]
    waiting: _containers.RepeatedCompositeFieldContainer[IntentionRow]
    worker: Explanation.WorkerFact
    def __init__(self, frame: _Optional[int] = ..., time: _Optional[float] = ..., property: _Optional[_Union[PropertyRow, _Mapping]] = ..., plan: _Optional[_Union[IntentionRow, _Mapping]] = ..., since: _Optional[float] = ..., began: _Optional[float] = ..., ancestors: _Optional[_Iterable[_Union[IntentionRow, _Mapping]]] = ..., together: _Optional[_Iterable[_Union[IntentionRow, _Mapping]]] = ..., waiting: _Optional[_Iterable[_Union[IntentionRow, _Mapping]]] = ..., former: _Optional[_Union[Explanation.FormerPlan, _Mapping]] = ..., worker: _Optional[_Union[Explanation.WorkerFact, _Mapping]] = ..., mover: _Optional[str] = ..., lateness: _Optional[_Union[Explanation.Lateness, _Mapping]] = ..., fading: _Optional[float] = ..., restraints: _Optional[_Iterable[_Union[Receipt.Limited.Limit, str]]] = ...) -> None: ...

class Field(_message.Message):
    __slots__ = ["name", "value"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: FieldValue
    def __init__(self, name: _Optional[str] = ..., value: _Optional[_Union[FieldValue, _Mapping]] = ...) -> None: ...

class FieldDescription(_message.Message):
    __slots__ = ["accepts", "access", "bounds", "choices", "default_value", "documentation", "elements", "excludes_lower_bound", "lanes_of", "name", "required", "unit"]
    class Access(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    class Bounds(_message.Message):
        __slots__ = ["highest", "lowest"]
        HIGHEST_FIELD_NUMBER: _ClassVar[int]
        LOWEST_FIELD_NUMBER: _ClassVar[int]
        highest: float
        lowest: float
        def __init__(self, lowest: _Optional[float] = ..., highest: _Optional[float] = ...) -> None: ...
    ACCEPTS_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    ACCESS_NAMES: FieldDescription.Access
    ACCESS_NONE: FieldDescription.Access
    ACCESS_READS: FieldDescription.Access
    ACCESS_WRITES: FieldDescription.Access
    BOUNDS_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTATION_FIELD_NUMBER: _ClassVar[int]
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    EXCLUDES_LOWER_BOUND_FIELD_NUMBER: _ClassVar[int]
    LANES_OF_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    accepts: _containers.RepeatedScalarFieldContainer[FieldShape]
    access: FieldDescription.Access
    bounds: FieldDescription.Bounds
    choices: _containers.RepeatedScalarFieldContainer[str]
    default_value: FieldValue
    documentation: str
    elements: _containers.RepeatedScalarFieldContainer[FieldShape]
    excludes_lower_bound: bool
    lanes_of: str
    name: str
    required: bool
    unit: str
    def __init__(self, name: _Optional[str] = ..., accepts: _Optional[_Iterable[_Union[FieldShape, str]]] = ..., required: bool = ..., default_value: _Optional[_Union[FieldValue, _Mapping]] = ..., bounds: _Optional[_Union[FieldDescription.Bounds, _Mapping]] = ..., excludes_lower_bound: bool = ..., unit: _Optional[str] = ..., choices: _Optional[_Iterable[str]] = ..., elements: _Optional[_Iterable[_Union[FieldShape, str]]] = ..., access: _Optional[_Union[FieldDescription.Access, str]] = ..., lanes_of: _Optional[str] = ..., documentation: _Optional[str] = ...) -> None: ...

class FieldValue(_message.Message):
    __slots__ = ["choice", "duration", "flag", "list", "number", "property", "reference", "text", "vector"]
    class List(_message.Message):
        __slots__ = ["elements"]
        ELEMENTS_FIELD_NUMBER: _ClassVar[int]
        elements: _containers.RepeatedCompositeFieldContainer[FieldValue]
        def __init__(self, elements: _Optional[_Iterable[_Union[FieldValue, _Mapping]]] = ...) -> None: ...
    class Vector(_message.Message):
        __slots__ = ["lanes"]
        LANES_FIELD_NUMBER: _ClassVar[int]
        lanes: _containers.RepeatedScalarFieldContainer[float]
        def __init__(self, lanes: _Optional[_Iterable[float]] = ...) -> None: ...
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    FLAG_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    choice: str
    duration: Duration
    flag: bool
    list: FieldValue.List
    number: float
    property: str
    reference: PropertyReference
    text: str
    vector: FieldValue.Vector
    def __init__(self, number: _Optional[float] = ..., vector: _Optional[_Union[FieldValue.Vector, _Mapping]] = ..., text: _Optional[str] = ..., flag: bool = ..., duration: _Optional[_Union[Duration, _Mapping]] = ..., property: _Optional[str] = ..., choice: _Optional[str] = ..., list: _Optional[_Union[FieldValue.List, _Mapping]] = ..., reference: _Optional[_Union[PropertyReference, _Mapping]] = ...) -> None: ...

class Frame(_message.Message):
    __slots__ = ["dt", "number", "time"]
    DT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    dt: float
    number: int
    time: float
    def __init__(self, number: _Optional[int] = ..., time: _Optional[float] = ..., dt: _Optional[float] = ...) -> None: ...

class Graph(_message.Message):
    __slots__ = ["edges", "nodes", "remarks"]
    class Edge(_message.Message):
        __slots__ = ["kind", "to"]
        class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = []
        FROM_FIELD_NUMBER: _ClassVar[int]
        KIND_ARGUMENT: Graph.Edge.Kind
        KIND_CONNECTS: Graph.Edge.Kind
        KIND_DRIVES: Graph.Edge.Kind
        KIND_EMITS: Graph.Edge.Kind
        KIND_FIELD_NUMBER: _ClassVar[int]
        KIND_HOLDS: Graph.Edge.Kind
        KIND_MOVES: Graph.Edge.Kind
        KIND_READS: Graph.Edge.Kind
        KIND_UNSPECIFIED: Graph.Edge.Kind
        KIND_VALUES: Graph.Edge.Kind
        KIND_WAITS: Graph.Edge.Kind
        KIND_WRITES: Graph.Edge.Kind
        TO_FIELD_NUMBER: _ClassVar[int]
        kind: Graph.Edge.Kind
        to: int
        def __init__(self, to: _Optional[int] = ..., kind: _Optional[_Union[Graph.Edge.Kind, str]] = ..., **kwargs) -> None: ...
    class Node(_message.Message):
        __slots__ = ["executor", "intention", "operator", "property", "source", "target", "token"]
        EXECUTOR_FIELD_NUMBER: _ClassVar[int]
        INTENTION_FIELD_NUMBER: _ClassVar[int]
        OPERATOR_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        SOURCE_FIELD_NUMBER: _ClassVar[int]
        TARGET_FIELD_NUMBER: _ClassVar[int]
        TOKEN_FIELD_NUMBER: _ClassVar[int]
        executor: ExecutorRow
        intention: IntentionRow
        operator: str
        property: PropertyRow
        source: str
        target: TargetRow
        token: TokenRow
        def __init__(self, target: _Optional[_Union[TargetRow, _Mapping]] = ..., property: _Optional[_Union[PropertyRow, _Mapping]] = ..., executor: _Optional[_Union[ExecutorRow, _Mapping]] = ..., intention: _Optional[_Union[IntentionRow, _Mapping]] = ..., token: _Optional[_Union[TokenRow, _Mapping]] = ..., source: _Optional[str] = ..., operator: _Optional[str] = ...) -> None: ...
    EDGES_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    REMARKS_FIELD_NUMBER: _ClassVar[int]
    edges: _containers.RepeatedCompositeFieldContainer[Graph.Edge]
    nodes: _containers.RepeatedCompositeFieldContainer[Graph.Node]
    remarks: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, nodes: _Optional[_Iterable[_Union[Graph.Node, _Mapping]]] = ..., edges: _Optional[_Iterable[_Union[Graph.Edge, _Mapping]]] = ..., remarks: _Optional[_Iterable[str]] = ...) -> None: ...

class Greeting(_message.Message):
    __slots__ = ["handshake_versions", "name", "protocol_versions"]
    HANDSHAKE_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    handshake_versions: VersionRange
    name: str
    protocol_versions: VersionRange
    def __init__(self, handshake_versions: _Optional[_Union[VersionRange, _Mapping]] = ..., protocol_versions: _Optional[_Union[VersionRange, _Mapping]] = ..., name: _Optional[str] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ["address", "executors", "handshake_versions", "process_id", "protocol_versions"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    EXECUTORS_FIELD_NUMBER: _ClassVar[int]
    HANDSHAKE_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    address: WorkerAddress
    executors: _containers.RepeatedScalarFieldContainer[str]
    handshake_versions: VersionRange
    process_id: int
    protocol_versions: VersionRange
    def __init__(self, handshake_versions: _Optional[_Union[VersionRange, _Mapping]] = ..., protocol_versions: _Optional[_Union[VersionRange, _Mapping]] = ..., address: _Optional[_Union[WorkerAddress, _Mapping]] = ..., process_id: _Optional[int] = ..., executors: _Optional[_Iterable[str]] = ...) -> None: ...

class History(_message.Message):
    __slots__ = ["part", "problem", "segments"]
    class Place(_message.Message):
        __slots__ = ["boot_time", "frame", "wall_time"]
        BOOT_TIME_FIELD_NUMBER: _ClassVar[int]
        FRAME_FIELD_NUMBER: _ClassVar[int]
        WALL_TIME_FIELD_NUMBER: _ClassVar[int]
        boot_time: int
        frame: Frame
        wall_time: int
        def __init__(self, frame: _Optional[_Union[Frame, _Mapping]] = ..., wall_time: _Optional[int] = ..., boot_time: _Optional[int] = ...) -> None: ...
    class Segment(_message.Message):
        __slots__ = ["bytes", "first", "last", "number"]
        BYTES_FIELD_NUMBER: _ClassVar[int]
        FIRST_FIELD_NUMBER: _ClassVar[int]
        LAST_FIELD_NUMBER: _ClassVar[int]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        bytes: int
        first: History.Place
        last: History.Place
        number: int
        def __init__(self, number: _Optional[int] = ..., bytes: _Optional[int] = ..., first: _Optional[_Union[History.Place, _Mapping]] = ..., last: _Optional[_Union[History.Place, _Mapping]] = ...) -> None: ...
    PART_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    part: bytes
    problem: str
    segments: _containers.RepeatedCompositeFieldContainer[History.Segment]
    def __init__(self, segments: _Optional[_Iterable[_Union[History.Segment, _Mapping]]] = ..., part: _Optional[bytes] = ..., problem: _Optional[str] = ...) -> None: ...

class HistoryRequest(_message.Message):
    __slots__ = ["erase", "part", "segments"]
    class Erase(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    class Part(_message.Message):
        __slots__ = ["offset", "segment"]
        OFFSET_FIELD_NUMBER: _ClassVar[int]
        SEGMENT_FIELD_NUMBER: _ClassVar[int]
        offset: int
        segment: int
        def __init__(self, segment: _Optional[int] = ..., offset: _Optional[int] = ...) -> None: ...
    class Segments(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    ERASE_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    erase: HistoryRequest.Erase
    part: HistoryRequest.Part
    segments: HistoryRequest.Segments
    def __init__(self, segments: _Optional[_Union[HistoryRequest.Segments, _Mapping]] = ..., part: _Optional[_Union[HistoryRequest.Part, _Mapping]] = ..., erase: _Optional[_Union[HistoryRequest.Erase, _Mapping]] = ...) -> None: ...

class Input(_message.Message):
    __slots__ = ["device", "events", "target", "values"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    device: str
    events: _containers.RepeatedCompositeFieldContainer[PointerEvent]
    target: str
    values: _containers.RepeatedCompositeFieldContainer[InputValue]
    def __init__(self, target: _Optional[str] = ..., device: _Optional[str] = ..., events: _Optional[_Iterable[_Union[PointerEvent, _Mapping]]] = ..., values: _Optional[_Iterable[_Union[InputValue, _Mapping]]] = ...) -> None: ...

class InputRow(_message.Message):
    __slots__ = ["device", "followers", "hold", "lanes", "name", "time"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    FOLLOWERS_FIELD_NUMBER: _ClassVar[int]
    HOLD_FIELD_NUMBER: _ClassVar[int]
    LANES_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    device: str
    followers: int
    hold: bool
    lanes: _containers.RepeatedScalarFieldContainer[float]
    name: str
    time: float
    def __init__(self, name: _Optional[str] = ..., lanes: _Optional[_Iterable[float]] = ..., time: _Optional[float] = ..., device: _Optional[str] = ..., hold: bool = ..., followers: _Optional[int] = ...) -> None: ...

class InputValue(_message.Message):
    __slots__ = ["hold", "lanes", "name", "time"]
    HOLD_FIELD_NUMBER: _ClassVar[int]
    LANES_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    hold: bool
    lanes: _containers.RepeatedScalarFieldContainer[float]
    name: str
    time: float
    def __init__(self, name: _Optional[str] = ..., lanes: _Optional[_Iterable[float]] = ..., time: _Optional[float] = ..., hold: bool = ...) -> None: ...

class Inspect(_message.Message):
    __slots__ = ["executors"]
    EXECUTORS_FIELD_NUMBER: _ClassVar[int]
    executors: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, executors: _Optional[_Iterable[int]] = ...) -> None: ...

class Intention(_message.Message):
    __slots__ = ["after", "fields", "priority", "type"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    after: float
    fields: _containers.RepeatedCompositeFieldContainer[Field]
    priority: int
    type: str
    def __init__(self, type: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[Field, _Mapping]]] = ..., priority: _Optional[int] = ..., after: _Optional[float] = ...) -> None: ...

class IntentionDescription(_message.Message):
    __slots__ = ["documentation", "exclusive", "executor", "fields", "kind", "reaches_outside", "reads", "requires_one_of", "type", "writes"]
    class FieldNames(_message.Message):
        __slots__ = ["names"]
        NAMES_FIELD_NUMBER: _ClassVar[int]
        names: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, names: _Optional[_Iterable[str]] = ...) -> None: ...
    DOCUMENTATION_FIELD_NUMBER: _ClassVar[int]
    EXCLUSIVE_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REACHES_OUTSIDE_FIELD_NUMBER: _ClassVar[int]
    READS_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_ONE_OF_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    WRITES_FIELD_NUMBER: _ClassVar[int]
    documentation: str
    exclusive: _containers.RepeatedCompositeFieldContainer[IntentionDescription.FieldNames]
    executor: str
    fields: _containers.RepeatedCompositeFieldContainer[FieldDescription]
    kind: IntentionKind
    reaches_outside: bool
    reads: _containers.RepeatedScalarFieldContainer[str]
    requires_one_of: _containers.RepeatedCompositeFieldContainer[IntentionDescription.FieldNames]
    type: str
    writes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, type: _Optional[str] = ..., kind: _Optional[_Union[IntentionKind, str]] = ..., executor: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[FieldDescription, _Mapping]]] = ..., writes: _Optional[_Iterable[str]] = ..., reads: _Optional[_Iterable[str]] = ..., exclusive: _Optional[_Iterable[_Union[IntentionDescription.FieldNames, _Mapping]]] = ..., requires_one_of: _Optional[_Iterable[_Union[IntentionDescription.FieldNames, _Mapping]]] = ..., documentation: _Optional[str] = ..., reaches_outside: bool = ...) -> None: ...

class IntentionIdentity(_message.Message):
    __slots__ = ["operation", "path", "sequence"]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    operation: int
    path: _containers.RepeatedScalarFieldContainer[int]
    sequence: int
    def __init__(self, sequence: _Optional[int] = ..., operation: _Optional[int] = ..., path: _Optional[_Iterable[int]] = ...) -> None: ...

class IntentionRow(_message.Message):
    __slots__ = ["begins", "displaced", "executor", "identity", "input_value", "intention", "kind", "name", "provenance", "reason", "state", "target"]
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    BEGINS_FIELD_NUMBER: _ClassVar[int]
    DISPLACED_FIELD_NUMBER: _ClassVar[int]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    INPUT_VALUE_FIELD_NUMBER: _ClassVar[int]
    INTENTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STATE_ADDED: IntentionRow.State
    STATE_FAILED: IntentionRow.State
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATE_OWED: IntentionRow.State
    STATE_UNSPECIFIED: IntentionRow.State
    STATE_WAITING: IntentionRow.State
    TARGET_FIELD_NUMBER: _ClassVar[int]
    begins: float
    displaced: bool
    executor: str
    identity: IntentionIdentity
    input_value: _containers.RepeatedScalarFieldContainer[float]
    intention: Intention
    kind: IntentionKind
    name: str
    provenance: Provenance
    reason: str
    state: IntentionRow.State
    target: str
    def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., target: _Optional[str] = ..., name: _Optional[str] = ..., intention: _Optional[_Union[Intention, _Mapping]] = ..., kind: _Optional[_Union[IntentionKind, str]] = ..., executor: _Optional[str] = ..., state: _Optional[_Union[IntentionRow.State, str]] = ..., reason: _Optional[str] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ..., displaced: bool = ..., input_value: _Optional[_Iterable[float]] = ..., begins: _Optional[float] = ...) -> None: ...

class JournalEntry(_message.Message):
    __slots__ = ["applied", "clock", "commit", "frame", "stop", "time", "void", "withdraw"]
    class Committed(_message.Message):
        __slots__ = ["client", "commit", "provenance", "sequence"]
        CLIENT_FIELD_NUMBER: _ClassVar[int]
        COMMIT_FIELD_NUMBER: _ClassVar[int]
        PROVENANCE_FIELD_NUMBER: _ClassVar[int]
        SEQUENCE_FIELD_NUMBER: _ClassVar[int]
        client: int
        commit: Commit
        provenance: Provenance
        sequence: int
        def __init__(self, sequence: _Optional[int] = ..., commit: _Optional[_Union[Commit, _Mapping]] = ..., client: _Optional[int] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ...) -> None: ...
    class Void(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    APPLIED_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    VOID_FIELD_NUMBER: _ClassVar[int]
    WITHDRAW_FIELD_NUMBER: _ClassVar[int]
    applied: int
    clock: Clock
    commit: JournalEntry.Committed
    frame: Frame
    stop: Stop
    time: float
    void: JournalEntry.Void
    withdraw: RuntimeEvent.Withdrawn
    def __init__(self, frame: _Optional[_Union[Frame, _Mapping]] = ..., time: _Optional[float] = ..., commit: _Optional[_Union[JournalEntry.Committed, _Mapping]] = ..., stop: _Optional[_Union[Stop, _Mapping]] = ..., withdraw: _Optional[_Union[RuntimeEvent.Withdrawn, _Mapping]] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., void: _Optional[_Union[JournalEntry.Void, _Mapping]] = ..., applied: _Optional[int] = ...) -> None: ...

class LimitSetting(_message.Message):
    __slots__ = ["acceleration", "jerk", "lower", "none", "on_lost", "upper", "velocity"]
    class OnLost(_message.Message):
        __slots__ = ["seconds", "value"]
        SECONDS_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        seconds: float
        value: _containers.RepeatedScalarFieldContainer[float]
        def __init__(self, value: _Optional[_Iterable[float]] = ..., seconds: _Optional[float] = ...) -> None: ...
    ACCELERATION_FIELD_NUMBER: _ClassVar[int]
    JERK_FIELD_NUMBER: _ClassVar[int]
    LOWER_FIELD_NUMBER: _ClassVar[int]
    NONE_FIELD_NUMBER: _ClassVar[int]
    ON_LOST_FIELD_NUMBER: _ClassVar[int]
    UPPER_FIELD_NUMBER: _ClassVar[int]
    VELOCITY_FIELD_NUMBER: _ClassVar[int]
    acceleration: _containers.RepeatedScalarFieldContainer[float]
    jerk: _containers.RepeatedScalarFieldContainer[float]
    lower: _containers.RepeatedScalarFieldContainer[float]
    none: bool
    on_lost: LimitSetting.OnLost
    upper: _containers.RepeatedScalarFieldContainer[float]
    velocity: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, none: bool = ..., lower: _Optional[_Iterable[float]] = ..., upper: _Optional[_Iterable[float]] = ..., velocity: _Optional[_Iterable[float]] = ..., acceleration: _Optional[_Iterable[float]] = ..., jerk: _Optional[_Iterable[float]] = ..., on_lost: _Optional[_Union[LimitSetting.OnLost, _Mapping]] = ...) -> None: ...

class Log(_message.Message):
    __slots__ = ["level", "text"]
    class Level(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    LEVEL_DEBUG: Log.Level
    LEVEL_ERROR: Log.Level
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    LEVEL_INFO: Log.Level
    LEVEL_UNSPECIFIED: Log.Level
    LEVEL_WARNING: Log.Level
    TEXT_FIELD_NUMBER: _ClassVar[int]
    level: Log.Level
    text: str
    def __init__(self, level: _Optional[_Union[Log.Level, str]] = ..., text: _Optional[str] = ...) -> None: ...

class Moment(_message.Message):
    __slots__ = ["time", "wall_time"]
    TIME_FIELD_NUMBER: _ClassVar[int]
    WALL_TIME_FIELD_NUMBER: _ClassVar[int]
    time: float
    wall_time: int
    def __init__(self, time: _Optional[float] = ..., wall_time: _Optional[int] = ...) -> None: ...

class Names(_message.Message):
    __slots__ = ["names"]
    class Name(_message.Message):
        __slots__ = ["handle", "lanes", "property"]
        HANDLE_FIELD_NUMBER: _ClassVar[int]
        LANES_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        handle: int
        lanes: int
        property: PropertyReference
        def __init__(self, handle: _Optional[int] = ..., property: _Optional[_Union[PropertyReference, _Mapping]] = ..., lanes: _Optional[int] = ...) -> None: ...
    NAMES_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedCompositeFieldContainer[Names.Name]
    def __init__(self, names: _Optional[_Iterable[_Union[Names.Name, _Mapping]]] = ...) -> None: ...

class Operation(_message.Message):
    __slots__ = ["add", "cue_position", "cue_step", "cues", "each", "forget", "group", "limit", "recall", "remove", "remove_plan", "scene", "spread"]
    class Add(_message.Message):
        __slots__ = ["intention", "named", "to"]
        INTENTION_FIELD_NUMBER: _ClassVar[int]
        NAMED_FIELD_NUMBER: _ClassVar[int]
        TO_FIELD_NUMBER: _ClassVar[int]
        intention: Intention
        named: str
        to: str
        def __init__(self, intention: _Optional[_Union[Intention, _Mapping]] = ..., to: _Optional[str] = ..., named: _Optional[str] = ...) -> None: ...
    class CueList(_message.Message):
        __slots__ = ["cues", "name", "timeline"]
        class Cue(_message.Message):
            __slots__ = ["at", "follow", "name", "operations", "wait"]
            AT_FIELD_NUMBER: _ClassVar[int]
            FOLLOW_FIELD_NUMBER: _ClassVar[int]
            NAME_FIELD_NUMBER: _ClassVar[int]
            OPERATIONS_FIELD_NUMBER: _ClassVar[int]
            WAIT_FIELD_NUMBER: _ClassVar[int]
            at: float
            follow: float
            name: str
            operations: _containers.RepeatedCompositeFieldContainer[Operation]
            wait: float
            def __init__(self, name: _Optional[str] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., wait: _Optional[float] = ..., follow: _Optional[float] = ..., at: _Optional[float] = ...) -> None: ...
        CUES_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        TIMELINE_FIELD_NUMBER: _ClassVar[int]
        cues: _containers.RepeatedCompositeFieldContainer[Operation.CueList.Cue]
        name: str
        timeline: PropertyReference
        def __init__(self, name: _Optional[str] = ..., cues: _Optional[_Iterable[_Union[Operation.CueList.Cue, _Mapping]]] = ..., timeline: _Optional[_Union[PropertyReference, _Mapping]] = ...) -> None: ...
    class CuePosition(_message.Message):
        __slots__ = ["current", "due", "left_out", "list", "passed", "step", "waits", "went"]
        CURRENT_FIELD_NUMBER: _ClassVar[int]
        DUE_FIELD_NUMBER: _ClassVar[int]
        LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
        LIST_FIELD_NUMBER: _ClassVar[int]
        PASSED_FIELD_NUMBER: _ClassVar[int]
        STEP_FIELD_NUMBER: _ClassVar[int]
        WAITS_FIELD_NUMBER: _ClassVar[int]
        WENT_FIELD_NUMBER: _ClassVar[int]
        current: int
        due: float
        left_out: str
        list: str
        passed: float
        step: int
        waits: bool
        went: float
        def __init__(self, list: _Optional[str] = ..., step: _Optional[int] = ..., current: _Optional[int] = ..., went: _Optional[float] = ..., waits: bool = ..., due: _Optional[float] = ..., passed: _Optional[float] = ..., left_out: _Optional[str] = ...) -> None: ...
    class CueStep(_message.Message):
        __slots__ = ["back", "go", "goto", "list", "stop"]
        BACK_FIELD_NUMBER: _ClassVar[int]
        GOTO_FIELD_NUMBER: _ClassVar[int]
        GO_FIELD_NUMBER: _ClassVar[int]
        LIST_FIELD_NUMBER: _ClassVar[int]
        STOP_FIELD_NUMBER: _ClassVar[int]
        back: bool
        go: bool
        goto: str
        list: str
        stop: bool
        def __init__(self, list: _Optional[str] = ..., go: bool = ..., back: bool = ..., goto: _Optional[str] = ..., stop: bool = ...) -> None: ...
    class Group(_message.Message):
        __slots__ = ["members", "name"]
        MEMBERS_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        members: _containers.RepeatedScalarFieldContainer[str]
        name: str
        def __init__(self, name: _Optional[str] = ..., members: _Optional[_Iterable[str]] = ...) -> None: ...
    class Limit(_message.Message):
        __slots__ = ["on", "property", "setting"]
        ON_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        SETTING_FIELD_NUMBER: _ClassVar[int]
        on: str
        property: str
        setting: LimitSetting
        def __init__(self, property: _Optional[str] = ..., on: _Optional[str] = ..., setting: _Optional[_Union[LimitSetting, _Mapping]] = ...) -> None: ...
    class Recall(_message.Message):
        __slots__ = ["scene", "seconds"]
        SCENE_FIELD_NUMBER: _ClassVar[int]
        SECONDS_FIELD_NUMBER: _ClassVar[int]
        scene: str
        seconds: float
        def __init__(self, scene: _Optional[str] = ..., seconds: _Optional[float] = ...) -> None: ...
    class Remove(_message.Message):
        __slots__ = ["named"]
        FROM_FIELD_NUMBER: _ClassVar[int]
        NAMED_FIELD_NUMBER: _ClassVar[int]
        named: str
        def __init__(self, named: _Optional[str] = ..., **kwargs) -> None: ...
    class RemovePlan(_message.Message):
        __slots__ = ["identity"]
        FROM_FIELD_NUMBER: _ClassVar[int]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        identity: IntentionIdentity
        def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., **kwargs) -> None: ...
    class Scene(_message.Message):
        __slots__ = ["name", "targets"]
        class Plan(_message.Message):
            __slots__ = ["intention", "named"]
            INTENTION_FIELD_NUMBER: _ClassVar[int]
            NAMED_FIELD_NUMBER: _ClassVar[int]
            intention: Intention
            named: str
            def __init__(self, named: _Optional[str] = ..., intention: _Optional[_Union[Intention, _Mapping]] = ...) -> None: ...
        class Target(_message.Message):
            __slots__ = ["plans", "target", "values"]
            PLANS_FIELD_NUMBER: _ClassVar[int]
            TARGET_FIELD_NUMBER: _ClassVar[int]
            VALUES_FIELD_NUMBER: _ClassVar[int]
            plans: _containers.RepeatedCompositeFieldContainer[Operation.Scene.Plan]
            target: str
            values: _containers.RepeatedCompositeFieldContainer[Operation.Scene.Value]
            def __init__(self, target: _Optional[str] = ..., values: _Optional[_Iterable[_Union[Operation.Scene.Value, _Mapping]]] = ..., plans: _Optional[_Iterable[_Union[Operation.Scene.Plan, _Mapping]]] = ...) -> None: ...
        class Value(_message.Message):
            __slots__ = ["property", "value"]
            PROPERTY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            property: str
            value: _containers.RepeatedScalarFieldContainer[float]
            def __init__(self, property: _Optional[str] = ..., value: _Optional[_Iterable[float]] = ...) -> None: ...
        NAME_FIELD_NUMBER: _ClassVar[int]
        TARGETS_FIELD_NUMBER: _ClassVar[int]
        name: str
        targets: _containers.RepeatedCompositeFieldContainer[Operation.Scene.Target]
        def __init__(self, name: _Optional[str] = ..., targets: _Optional[_Iterable[_Union[Operation.Scene.Target, _Mapping]]] = ...) -> None: ...
    class Spread(_message.Message):
        __slots__ = ["by", "stagger", "to"]
        BY_FIELD_NUMBER: _ClassVar[int]
        STAGGER_FIELD_NUMBER: _ClassVar[int]
        TO_FIELD_NUMBER: _ClassVar[int]
        by: str
        stagger: float
        to: _containers.RepeatedCompositeFieldContainer[Field]
        def __init__(self, to: _Optional[_Iterable[_Union[Field, _Mapping]]] = ..., stagger: _Optional[float] = ..., by: _Optional[str] = ...) -> None: ...
    ADD_FIELD_NUMBER: _ClassVar[int]
    CUES_FIELD_NUMBER: _ClassVar[int]
    CUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    CUE_STEP_FIELD_NUMBER: _ClassVar[int]
    EACH_FIELD_NUMBER: _ClassVar[int]
    FORGET_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    RECALL_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    REMOVE_PLAN_FIELD_NUMBER: _ClassVar[int]
    SCENE_FIELD_NUMBER: _ClassVar[int]
    SPREAD_FIELD_NUMBER: _ClassVar[int]
    add: Operation.Add
    cue_position: Operation.CuePosition
    cue_step: Operation.CueStep
    cues: Operation.CueList
    each: str
    forget: str
    group: Operation.Group
    limit: Operation.Limit
    recall: Operation.Recall
    remove: Operation.Remove
    remove_plan: Operation.RemovePlan
    scene: Operation.Scene
    spread: Operation.Spread
    def __init__(self, add: _Optional[_Union[Operation.Add, _Mapping]] = ..., remove: _Optional[_Union[Operation.Remove, _Mapping]] = ..., forget: _Optional[str] = ..., remove_plan: _Optional[_Union[Operation.RemovePlan, _Mapping]] = ..., limit: _Optional[_Union[Operation.Limit, _Mapping]] = ..., group: _Optional[_Union[Operation.Group, _Mapping]] = ..., scene: _Optional[_Union[Operation.Scene, _Mapping]] = ..., recall: _Optional[_Union[Operation.Recall, _Mapping]] = ..., cues: _Optional[_Union[Operation.CueList, _Mapping]] = ..., cue_position: _Optional[_Union[Operation.CuePosition, _Mapping]] = ..., cue_step: _Optional[_Union[Operation.CueStep, _Mapping]] = ..., each: _Optional[str] = ..., spread: _Optional[_Union[Operation.Spread, _Mapping]] = ...) -> None: ...

class PlannedIntention(_message.Message):
    __slots__ = ["identity", "intention", "name", "start_frame", "start_time", "starts"]
    class Start(_message.Message):
        __slots__ = ["acceleration", "handle", "property", "state"]
        ACCELERATION_FIELD_NUMBER: _ClassVar[int]
        HANDLE_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        STATE_FIELD_NUMBER: _ClassVar[int]
        acceleration: _containers.RepeatedScalarFieldContainer[float]
        handle: int
        property: str
        state: PropertyState
        def __init__(self, property: _Optional[str] = ..., handle: _Optional[int] = ..., state: _Optional[_Union[PropertyState, _Mapping]] = ..., acceleration: _Optional[_Iterable[float]] = ...) -> None: ...
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    INTENTION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    START_FRAME_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    identity: IntentionIdentity
    intention: Intention
    name: str
    start_frame: int
    start_time: float
    starts: _containers.RepeatedCompositeFieldContainer[PlannedIntention.Start]
    def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., intention: _Optional[_Union[Intention, _Mapping]] = ..., name: _Optional[str] = ..., start_frame: _Optional[int] = ..., start_time: _Optional[float] = ..., starts: _Optional[_Iterable[_Union[PlannedIntention.Start, _Mapping]]] = ...) -> None: ...

class PluginManifest(_message.Message):
    __slots__ = ["arguments", "documentation", "environment", "executable", "instances", "intentions", "name", "on_lost", "protocol_versions", "unnamed_only", "wants_updates"]
    class OnLost(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTATION_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    EXECUTABLE_FIELD_NUMBER: _ClassVar[int]
    INSTANCES_FIELD_NUMBER: _ClassVar[int]
    INTENTIONS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ON_LOST_FIELD_NUMBER: _ClassVar[int]
    ON_LOST_HOLD: PluginManifest.OnLost
    ON_LOST_REST: PluginManifest.OnLost
    ON_LOST_UNSPECIFIED: PluginManifest.OnLost
    PROTOCOL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    UNNAMED_ONLY_FIELD_NUMBER: _ClassVar[int]
    WANTS_UPDATES_FIELD_NUMBER: _ClassVar[int]
    arguments: _containers.RepeatedScalarFieldContainer[str]
    documentation: str
    environment: _containers.RepeatedScalarFieldContainer[str]
    executable: str
    instances: int
    intentions: _containers.RepeatedCompositeFieldContainer[IntentionDescription]
    name: str
    on_lost: PluginManifest.OnLost
    protocol_versions: VersionRange
    unnamed_only: _containers.RepeatedScalarFieldContainer[str]
    wants_updates: bool
    def __init__(self, name: _Optional[str] = ..., executable: _Optional[str] = ..., arguments: _Optional[_Iterable[str]] = ..., environment: _Optional[_Iterable[str]] = ..., protocol_versions: _Optional[_Union[VersionRange, _Mapping]] = ..., intentions: _Optional[_Iterable[_Union[IntentionDescription, _Mapping]]] = ..., unnamed_only: _Optional[_Iterable[str]] = ..., wants_updates: bool = ..., instances: _Optional[int] = ..., on_lost: _Optional[_Union[PluginManifest.OnLost, str]] = ..., documentation: _Optional[str] = ...) -> None: ...

class PluginReadiness(_message.Message):
    __slots__ = ["plugin", "state"]
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATE_QUARANTINED: PluginReadiness.State
    STATE_READY: PluginReadiness.State
    STATE_STARTING: PluginReadiness.State
    STATE_UNSPECIFIED: PluginReadiness.State
    plugin: str
    state: PluginReadiness.State
    def __init__(self, plugin: _Optional[str] = ..., state: _Optional[_Union[PluginReadiness.State, str]] = ...) -> None: ...

class PluginRow(_message.Message):
    __slots__ = ["name", "path", "problem", "types", "workers"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    path: str
    problem: str
    types: _containers.RepeatedScalarFieldContainer[str]
    workers: _containers.RepeatedCompositeFieldContainer[WorkerRow]
    def __init__(self, name: _Optional[str] = ..., path: _Optional[str] = ..., problem: _Optional[str] = ..., types: _Optional[_Iterable[str]] = ..., workers: _Optional[_Iterable[_Union[WorkerRow, _Mapping]]] = ...) -> None: ...

class PointerEvent(_message.Message):
    __slots__ = ["id", "phase", "time", "x", "y"]
    class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    ID_FIELD_NUMBER: _ClassVar[int]
    PHASE_CANCEL: PointerEvent.Phase
    PHASE_DOWN: PointerEvent.Phase
    PHASE_FIELD_NUMBER: _ClassVar[int]
    PHASE_MOVE: PointerEvent.Phase
    PHASE_UNSPECIFIED: PointerEvent.Phase
    PHASE_UP: PointerEvent.Phase
    TIME_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    id: int
    phase: PointerEvent.Phase
    time: float
    x: float
    y: float
    def __init__(self, id: _Optional[int] = ..., phase: _Optional[_Union[PointerEvent.Phase, str]] = ..., x: _Optional[float] = ..., y: _Optional[float] = ..., time: _Optional[float] = ...) -> None: ...

class Properties(_message.Message):
    __slots__ = ["properties"]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    properties: _containers.RepeatedCompositeFieldContainer[ReadProperty]
    def __init__(self, properties: _Optional[_Iterable[_Union[ReadProperty, _Mapping]]] = ...) -> None: ...

class PropertyReference(_message.Message):
    __slots__ = ["property", "target"]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    property: str
    target: str
    def __init__(self, target: _Optional[str] = ..., property: _Optional[str] = ...) -> None: ...

class PropertyRow(_message.Message):
    __slots__ = ["because", "changed_frame", "demand", "driver", "handle", "late", "limits", "property", "state", "waiting"]
    BECAUSE_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FRAME_FIELD_NUMBER: _ClassVar[int]
    DEMAND_FIELD_NUMBER: _ClassVar[int]
    DRIVER_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    because: _containers.RepeatedCompositeFieldContainer[IntentionIdentity]
    changed_frame: int
    demand: PropertyState
    driver: str
    handle: int
    late: bool
    limits: LimitSetting
    property: PropertyReference
    state: PropertyState
    waiting: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, property: _Optional[_Union[PropertyReference, _Mapping]] = ..., handle: _Optional[int] = ..., state: _Optional[_Union[PropertyState, _Mapping]] = ..., driver: _Optional[str] = ..., because: _Optional[_Iterable[_Union[IntentionIdentity, _Mapping]]] = ..., waiting: _Optional[_Iterable[str]] = ..., changed_frame: _Optional[int] = ..., late: bool = ..., limits: _Optional[_Union[LimitSetting, _Mapping]] = ..., demand: _Optional[_Union[PropertyState, _Mapping]] = ...) -> None: ...

class PropertySample(_message.Message):
    __slots__ = ["frame", "omitted", "time", "value", "velocity"]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    VELOCITY_FIELD_NUMBER: _ClassVar[int]
    frame: int
    omitted: int
    time: float
    value: _containers.RepeatedScalarFieldContainer[float]
    velocity: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, frame: _Optional[int] = ..., time: _Optional[float] = ..., value: _Optional[_Iterable[float]] = ..., velocity: _Optional[_Iterable[float]] = ..., omitted: _Optional[int] = ...) -> None: ...

class PropertyState(_message.Message):
    __slots__ = ["value", "velocity"]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    VELOCITY_FIELD_NUMBER: _ClassVar[int]
    value: _containers.RepeatedScalarFieldContainer[float]
    velocity: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, value: _Optional[_Iterable[float]] = ..., velocity: _Optional[_Iterable[float]] = ...) -> None: ...

class Provenance(_message.Message):
    __slots__ = ["client", "comment", "on_behalf_of", "wall_time"]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    ON_BEHALF_OF_FIELD_NUMBER: _ClassVar[int]
    WALL_TIME_FIELD_NUMBER: _ClassVar[int]
    client: Committer
    comment: str
    on_behalf_of: Committer
    wall_time: int
    def __init__(self, client: _Optional[_Union[Committer, _Mapping]] = ..., on_behalf_of: _Optional[_Union[Committer, _Mapping]] = ..., wall_time: _Optional[int] = ..., comment: _Optional[str] = ...) -> None: ...

class Query(_message.Message):
    __slots__ = ["cues", "property", "scene", "subject", "target", "type"]
    class Subject(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    CUES_FIELD_NUMBER: _ClassVar[int]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    SCENE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_CLIENTS: Query.Subject
    SUBJECT_CUES: Query.Subject
    SUBJECT_EXECUTORS: Query.Subject
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_GRAPH: Query.Subject
    SUBJECT_GROUPS: Query.Subject
    SUBJECT_INPUTS: Query.Subject
    SUBJECT_INTENTIONS: Query.Subject
    SUBJECT_PLUGINS: Query.Subject
    SUBJECT_PROPERTIES: Query.Subject
    SUBJECT_SCENES: Query.Subject
    SUBJECT_SNAPSHOT: Query.Subject
    SUBJECT_STATUS: Query.Subject
    SUBJECT_TARGETS: Query.Subject
    SUBJECT_TOKENS: Query.Subject
    SUBJECT_TYPES: Query.Subject
    SUBJECT_UNSPECIFIED: Query.Subject
    SUBJECT_WAITING: Query.Subject
    SUBJECT_WHY: Query.Subject
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    cues: str
    property: str
    scene: str
    subject: Query.Subject
    target: str
    type: str
    def __init__(self, subject: _Optional[_Union[Query.Subject, str]] = ..., target: _Optional[str] = ..., type: _Optional[str] = ..., property: _Optional[str] = ..., scene: _Optional[str] = ..., cues: _Optional[str] = ...) -> None: ...

class ReadProperty(_message.Message):
    __slots__ = ["property", "state"]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    property: PropertyReference
    state: PropertyState
    def __init__(self, property: _Optional[_Union[PropertyReference, _Mapping]] = ..., state: _Optional[_Union[PropertyState, _Mapping]] = ...) -> None: ...

class Receipt(_message.Message):
    __slots__ = ["addressed", "at", "counts", "cues", "displaced", "frame", "limited", "overdue", "plugins", "repeated_commit", "sequence"]
    class Addressed(_message.Message):
        __slots__ = ["operation", "targets"]
        OPERATION_FIELD_NUMBER: _ClassVar[int]
        TARGETS_FIELD_NUMBER: _ClassVar[int]
        operation: int
        targets: int
        def __init__(self, operation: _Optional[int] = ..., targets: _Optional[int] = ...) -> None: ...
    class Counts(_message.Message):
        __slots__ = ["added", "forgotten", "removed"]
        ADDED_FIELD_NUMBER: _ClassVar[int]
        FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
        REMOVED_FIELD_NUMBER: _ClassVar[int]
        added: int
        forgotten: int
        removed: int
        def __init__(self, added: _Optional[int] = ..., removed: _Optional[int] = ..., forgotten: _Optional[int] = ...) -> None: ...
    class Displaced(_message.Message):
        __slots__ = ["by", "name", "operation", "priority", "property", "target", "type"]
        BY_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        OPERATION_FIELD_NUMBER: _ClassVar[int]
        PRIORITY_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        TARGET_FIELD_NUMBER: _ClassVar[int]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        by: IntentionIdentity
        name: str
        operation: int
        priority: int
        property: str
        target: str
        type: str
        def __init__(self, operation: _Optional[int] = ..., property: _Optional[str] = ..., by: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., type: _Optional[str] = ..., name: _Optional[str] = ..., priority: _Optional[int] = ..., target: _Optional[str] = ...) -> None: ...
    class Limited(_message.Message):
        __slots__ = ["limits", "operation", "overrun", "property", "target"]
        class Limit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = []
        LIMITS_FIELD_NUMBER: _ClassVar[int]
        LIMIT_ACCELERATION: Receipt.Limited.Limit
        LIMIT_JERK: Receipt.Limited.Limit
        LIMIT_RANGE: Receipt.Limited.Limit
        LIMIT_UNSPECIFIED: Receipt.Limited.Limit
        LIMIT_VELOCITY: Receipt.Limited.Limit
        OPERATION_FIELD_NUMBER: _ClassVar[int]
        OVERRUN_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        TARGET_FIELD_NUMBER: _ClassVar[int]
        limits: _containers.RepeatedScalarFieldContainer[Receipt.Limited.Limit]
        operation: int
        overrun: _containers.RepeatedScalarFieldContainer[float]
        property: str
        target: str
        def __init__(self, operation: _Optional[int] = ..., property: _Optional[str] = ..., limits: _Optional[_Iterable[_Union[Receipt.Limited.Limit, str]]] = ..., overrun: _Optional[_Iterable[float]] = ..., target: _Optional[str] = ...) -> None: ...
    ADDRESSED_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    CUES_FIELD_NUMBER: _ClassVar[int]
    DISPLACED_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    LIMITED_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_FIELD_NUMBER: _ClassVar[int]
    PLUGINS_FIELD_NUMBER: _ClassVar[int]
    REPEATED_COMMIT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    addressed: _containers.RepeatedCompositeFieldContainer[Receipt.Addressed]
    at: float
    counts: Receipt.Counts
    cues: _containers.RepeatedCompositeFieldContainer[CueListRow]
    displaced: _containers.RepeatedCompositeFieldContainer[Receipt.Displaced]
    frame: int
    limited: _containers.RepeatedCompositeFieldContainer[Receipt.Limited]
    overdue: float
    plugins: _containers.RepeatedCompositeFieldContainer[PluginReadiness]
    repeated_commit: bool
    sequence: int
    def __init__(self, sequence: _Optional[int] = ..., frame: _Optional[int] = ..., at: _Optional[float] = ..., repeated_commit: bool = ..., plugins: _Optional[_Iterable[_Union[PluginReadiness, _Mapping]]] = ..., overdue: _Optional[float] = ..., counts: _Optional[_Union[Receipt.Counts, _Mapping]] = ..., displaced: _Optional[_Iterable[_Union[Receipt.Displaced, _Mapping]]] = ..., limited: _Optional[_Iterable[_Union[Receipt.Limited, _Mapping]]] = ..., addressed: _Optional[_Iterable[_Union[Receipt.Addressed, _Mapping]]] = ..., cues: _Optional[_Iterable[_Union[CueListRow, _Mapping]]] = ...) -> None: ...

class Record(_message.Message):
    __slots__ = ["start", "stop"]
    class Stop(_message.Message):
        __slots__ = []
        def __init__(self) -> None: ...
    START_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    start: str
    stop: Record.Stop
    def __init__(self, start: _Optional[str] = ..., stop: _Optional[_Union[Record.Stop, _Mapping]] = ...) -> None: ...

class RecordedFrame(_message.Message):
    __slots__ = ["between_frames", "boot_time", "events", "frame", "hash", "skipped", "wall_time"]
    BETWEEN_FRAMES_FIELD_NUMBER: _ClassVar[int]
    BOOT_TIME_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    WALL_TIME_FIELD_NUMBER: _ClassVar[int]
    between_frames: _containers.RepeatedCompositeFieldContainer[RuntimeEvent]
    boot_time: int
    events: _containers.RepeatedCompositeFieldContainer[RuntimeEvent]
    frame: Frame
    hash: int
    skipped: int
    wall_time: int
    def __init__(self, frame: _Optional[_Union[Frame, _Mapping]] = ..., events: _Optional[_Iterable[_Union[RuntimeEvent, _Mapping]]] = ..., skipped: _Optional[int] = ..., hash: _Optional[int] = ..., between_frames: _Optional[_Iterable[_Union[RuntimeEvent, _Mapping]]] = ..., wall_time: _Optional[int] = ..., boot_time: _Optional[int] = ...) -> None: ...

class RecordingHeader(_message.Message):
    __slots__ = ["checkpoint", "plugins", "protocol", "rate_per_second", "snapshot"]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    PLUGINS_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    RATE_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    checkpoint: Checkpoint
    plugins: _containers.RepeatedCompositeFieldContainer[PluginManifest]
    protocol: int
    rate_per_second: float
    snapshot: RuntimeSnapshot
    def __init__(self, protocol: _Optional[int] = ..., rate_per_second: _Optional[float] = ..., plugins: _Optional[_Iterable[_Union[PluginManifest, _Mapping]]] = ..., checkpoint: _Optional[_Union[Checkpoint, _Mapping]] = ..., snapshot: _Optional[_Union[RuntimeSnapshot, _Mapping]] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ["code", "field", "message", "operation", "remedy"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    REMEDY_FIELD_NUMBER: _ClassVar[int]
    code: str
    field: str
    message: str
    operation: int
    remedy: str
    def __init__(self, code: _Optional[str] = ..., operation: _Optional[int] = ..., field: _Optional[str] = ..., message: _Optional[str] = ..., remedy: _Optional[str] = ...) -> None: ...

class Remove(_message.Message):
    __slots__ = ["executor", "identity"]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    executor: int
    identity: IntentionIdentity
    def __init__(self, executor: _Optional[int] = ..., identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ...) -> None: ...

class RemoveExecutor(_message.Message):
    __slots__ = ["executor"]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    executor: int
    def __init__(self, executor: _Optional[int] = ...) -> None: ...

class Restart(_message.Message):
    __slots__ = ["plugin"]
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    plugin: str
    def __init__(self, plugin: _Optional[str] = ...) -> None: ...

class Resumed(_message.Message):
    __slots__ = ["executor", "property", "state", "time"]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    PROPERTY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    executor: int
    property: str
    state: PropertyState
    time: float
    def __init__(self, executor: _Optional[int] = ..., property: _Optional[str] = ..., state: _Optional[_Union[PropertyState, _Mapping]] = ..., time: _Optional[float] = ...) -> None: ...

class Resync(_message.Message):
    __slots__ = ["commands_applied"]
    COMMANDS_APPLIED_FIELD_NUMBER: _ClassVar[int]
    commands_applied: int
    def __init__(self, commands_applied: _Optional[int] = ...) -> None: ...

class RuntimeEvent(_message.Message):
    __slots__ = ["commit", "input", "lost", "plan_quarantined", "provisioned", "quarantined", "restored", "stop", "update", "withdraw", "withheld"]
    class Committed(_message.Message):
        __slots__ = ["operations", "provenance", "sequence"]
        OPERATIONS_FIELD_NUMBER: _ClassVar[int]
        PROVENANCE_FIELD_NUMBER: _ClassVar[int]
        SEQUENCE_FIELD_NUMBER: _ClassVar[int]
        operations: _containers.RepeatedCompositeFieldContainer[Operation]
        provenance: Provenance
        sequence: int
        def __init__(self, sequence: _Optional[int] = ..., operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ...) -> None: ...
    class Quarantined(_message.Message):
        __slots__ = ["plugin", "reason"]
        PLUGIN_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        plugin: str
        reason: str
        def __init__(self, plugin: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
    class QuarantinedPlan(_message.Message):
        __slots__ = ["identity", "reason"]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        identity: IntentionIdentity
        reason: str
        def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...
    class Updated(_message.Message):
        __slots__ = ["update", "worker"]
        UPDATE_FIELD_NUMBER: _ClassVar[int]
        WORKER_FIELD_NUMBER: _ClassVar[int]
        update: Update
        worker: WorkerAddress
        def __init__(self, worker: _Optional[_Union[WorkerAddress, _Mapping]] = ..., update: _Optional[_Union[Update, _Mapping]] = ...) -> None: ...
    class Withdrawn(_message.Message):
        __slots__ = ["sequences"]
        SEQUENCES_FIELD_NUMBER: _ClassVar[int]
        sequences: _containers.RepeatedScalarFieldContainer[int]
        def __init__(self, sequences: _Optional[_Iterable[int]] = ...) -> None: ...
    class Withheld(_message.Message):
        __slots__ = ["identities", "over", "worker"]
        IDENTITIES_FIELD_NUMBER: _ClassVar[int]
        OVER_FIELD_NUMBER: _ClassVar[int]
        WORKER_FIELD_NUMBER: _ClassVar[int]
        identities: _containers.RepeatedCompositeFieldContainer[IntentionIdentity]
        over: bool
        worker: WorkerAddress
        def __init__(self, worker: _Optional[_Union[WorkerAddress, _Mapping]] = ..., identities: _Optional[_Iterable[_Union[IntentionIdentity, _Mapping]]] = ..., over: bool = ...) -> None: ...
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    PLAN_QUARANTINED_FIELD_NUMBER: _ClassVar[int]
    PROVISIONED_FIELD_NUMBER: _ClassVar[int]
    QUARANTINED_FIELD_NUMBER: _ClassVar[int]
    RESTORED_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    WITHDRAW_FIELD_NUMBER: _ClassVar[int]
    WITHHELD_FIELD_NUMBER: _ClassVar[int]
    commit: RuntimeEvent.Committed
    input: Input
    lost: WorkerAddress
    plan_quarantined: RuntimeEvent.QuarantinedPlan
    provisioned: WorkerAddress
    quarantined: RuntimeEvent.Quarantined
    restored: str
    stop: Stop
    update: RuntimeEvent.Updated
    withdraw: RuntimeEvent.Withdrawn
    withheld: RuntimeEvent.Withheld
    def __init__(self, commit: _Optional[_Union[RuntimeEvent.Committed, _Mapping]] = ..., update: _Optional[_Union[RuntimeEvent.Updated, _Mapping]] = ..., provisioned: _Optional[_Union[WorkerAddress, _Mapping]] = ..., lost: _Optional[_Union[WorkerAddress, _Mapping]] = ..., quarantined: _Optional[_Union[RuntimeEvent.Quarantined, _Mapping]] = ..., restored: _Optional[str] = ..., stop: _Optional[_Union[Stop, _Mapping]] = ..., withdraw: _Optional[_Union[RuntimeEvent.Withdrawn, _Mapping]] = ..., input: _Optional[_Union[Input, _Mapping]] = ..., withheld: _Optional[_Union[RuntimeEvent.Withheld, _Mapping]] = ..., plan_quarantined: _Optional[_Union[RuntimeEvent.QuarantinedPlan, _Mapping]] = ...) -> None: ...

class RuntimeSnapshot(_message.Message):
    __slots__ = ["checkpoint", "details", "quarantined"]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    QUARANTINED_FIELD_NUMBER: _ClassVar[int]
    checkpoint: Checkpoint
    details: bytes
    quarantined: _containers.RepeatedCompositeFieldContainer[Checkpoint.Plan]
    def __init__(self, checkpoint: _Optional[_Union[Checkpoint, _Mapping]] = ..., quarantined: _Optional[_Iterable[_Union[Checkpoint.Plan, _Mapping]]] = ..., details: _Optional[bytes] = ...) -> None: ...

class SceneRow(_message.Message):
    __slots__ = ["content", "name", "plans", "targets", "values"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLANS_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    content: Operation.Scene
    name: str
    plans: int
    targets: int
    values: int
    def __init__(self, name: _Optional[str] = ..., targets: _Optional[int] = ..., values: _Optional[int] = ..., plans: _Optional[int] = ..., content: _Optional[_Union[Operation.Scene, _Mapping]] = ...) -> None: ...

class Service(_message.Message):
    __slots__ = ["clock", "protocol_version", "rate_per_second", "values_endpoint"]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    RATE_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    VALUES_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    clock: ClockState
    protocol_version: int
    rate_per_second: float
    values_endpoint: str
    def __init__(self, protocol_version: _Optional[int] = ..., values_endpoint: _Optional[str] = ..., rate_per_second: _Optional[float] = ..., clock: _Optional[_Union[ClockState, _Mapping]] = ...) -> None: ...

class Shutdown(_message.Message):
    __slots__ = ["final"]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    final: bool
    def __init__(self, final: bool = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ["command", "executors", "frame", "last_event_applied", "properties"]
    class Executor(_message.Message):
        __slots__ = ["displaced", "driven", "handle", "intentions", "key"]
        DISPLACED_FIELD_NUMBER: _ClassVar[int]
        DRIVEN_FIELD_NUMBER: _ClassVar[int]
        HANDLE_FIELD_NUMBER: _ClassVar[int]
        INTENTIONS_FIELD_NUMBER: _ClassVar[int]
        KEY_FIELD_NUMBER: _ClassVar[int]
        displaced: _containers.RepeatedScalarFieldContainer[str]
        driven: _containers.RepeatedCompositeFieldContainer[PlannedIntention.Start]
        handle: int
        intentions: _containers.RepeatedCompositeFieldContainer[PlannedIntention]
        key: ExecutorKey
        def __init__(self, handle: _Optional[int] = ..., key: _Optional[_Union[ExecutorKey, _Mapping]] = ..., intentions: _Optional[_Iterable[_Union[PlannedIntention, _Mapping]]] = ..., displaced: _Optional[_Iterable[str]] = ..., driven: _Optional[_Iterable[_Union[PlannedIntention.Start, _Mapping]]] = ...) -> None: ...
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    EXECUTORS_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_APPLIED_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    command: int
    executors: _containers.RepeatedCompositeFieldContainer[Snapshot.Executor]
    frame: Frame
    last_event_applied: int
    properties: _containers.RepeatedCompositeFieldContainer[ReadProperty]
    def __init__(self, command: _Optional[int] = ..., frame: _Optional[_Union[Frame, _Mapping]] = ..., executors: _Optional[_Iterable[_Union[Snapshot.Executor, _Mapping]]] = ..., properties: _Optional[_Iterable[_Union[ReadProperty, _Mapping]]] = ..., last_event_applied: _Optional[int] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ["active", "clock", "counters", "counts", "epoch", "frame", "history", "journal", "lateness", "load", "plugin_paths", "plugins", "process_id", "rate_per_second", "recent_lateness", "recording", "uptime", "version"]
    class Counter(_message.Message):
        __slots__ = ["name", "value"]
        NAME_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        name: str
        value: int
        def __init__(self, name: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    class Counts(_message.Message):
        __slots__ = ["executors", "intentions", "properties", "targets", "tokens", "waiting"]
        EXECUTORS_FIELD_NUMBER: _ClassVar[int]
        INTENTIONS_FIELD_NUMBER: _ClassVar[int]
        PROPERTIES_FIELD_NUMBER: _ClassVar[int]
        TARGETS_FIELD_NUMBER: _ClassVar[int]
        TOKENS_FIELD_NUMBER: _ClassVar[int]
        WAITING_FIELD_NUMBER: _ClassVar[int]
        executors: int
        intentions: int
        properties: int
        targets: int
        tokens: int
        waiting: int
        def __init__(self, targets: _Optional[int] = ..., properties: _Optional[int] = ..., executors: _Optional[int] = ..., intentions: _Optional[int] = ..., tokens: _Optional[int] = ..., waiting: _Optional[int] = ...) -> None: ...
    class Journal(_message.Message):
        __slots__ = ["checkpoint_bytes", "groups", "last_row", "path", "problem", "problem_seconds", "rows", "rows_since_checkpoint", "write_max", "write_p50", "write_p99"]
        CHECKPOINT_BYTES_FIELD_NUMBER: _ClassVar[int]
        GROUPS_FIELD_NUMBER: _ClassVar[int]
        LAST_ROW_FIELD_NUMBER: _ClassVar[int]
        PATH_FIELD_NUMBER: _ClassVar[int]
        PROBLEM_FIELD_NUMBER: _ClassVar[int]
        PROBLEM_SECONDS_FIELD_NUMBER: _ClassVar[int]
        ROWS_FIELD_NUMBER: _ClassVar[int]
        ROWS_SINCE_CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
        WRITE_MAX_FIELD_NUMBER: _ClassVar[int]
        WRITE_P50_FIELD_NUMBER: _ClassVar[int]
        WRITE_P99_FIELD_NUMBER: _ClassVar[int]
        checkpoint_bytes: int
        groups: int
        last_row: int
        path: str
        problem: str
        problem_seconds: float
        rows: int
        rows_since_checkpoint: int
        write_max: float
        write_p50: float
        write_p99: float
        def __init__(self, path: _Optional[str] = ..., last_row: _Optional[int] = ..., rows_since_checkpoint: _Optional[int] = ..., checkpoint_bytes: _Optional[int] = ..., groups: _Optional[int] = ..., rows: _Optional[int] = ..., write_p50: _Optional[float] = ..., write_p99: _Optional[float] = ..., write_max: _Optional[float] = ..., problem: _Optional[str] = ..., problem_seconds: _Optional[float] = ...) -> None: ...
    class KeptHistory(_message.Message):
        __slots__ = ["bytes", "continues", "problem", "seconds"]
        BYTES_FIELD_NUMBER: _ClassVar[int]
        CONTINUES_FIELD_NUMBER: _ClassVar[int]
        PROBLEM_FIELD_NUMBER: _ClassVar[int]
        SECONDS_FIELD_NUMBER: _ClassVar[int]
        bytes: int
        continues: bool
        problem: str
        seconds: float
        def __init__(self, seconds: _Optional[float] = ..., bytes: _Optional[int] = ..., continues: bool = ..., problem: _Optional[str] = ...) -> None: ...
    class Lateness(_message.Message):
        __slots__ = ["frames", "max", "p50", "p99", "p999"]
        FRAMES_FIELD_NUMBER: _ClassVar[int]
        MAX_FIELD_NUMBER: _ClassVar[int]
        P50_FIELD_NUMBER: _ClassVar[int]
        P999_FIELD_NUMBER: _ClassVar[int]
        P99_FIELD_NUMBER: _ClassVar[int]
        frames: int
        max: float
        p50: float
        p99: float
        p999: float
        def __init__(self, frames: _Optional[int] = ..., p50: _Optional[float] = ..., p99: _Optional[float] = ..., p999: _Optional[float] = ..., max: _Optional[float] = ...) -> None: ...
    class Load(_message.Message):
        __slots__ = ["processor_time", "resident_bytes", "wake_ups"]
        PROCESSOR_TIME_FIELD_NUMBER: _ClassVar[int]
        RESIDENT_BYTES_FIELD_NUMBER: _ClassVar[int]
        WAKE_UPS_FIELD_NUMBER: _ClassVar[int]
        processor_time: float
        resident_bytes: int
        wake_ups: int
        def __init__(self, wake_ups: _Optional[int] = ..., processor_time: _Optional[float] = ..., resident_bytes: _Optional[int] = ...) -> None: ...
    class Recording(_message.Message):
        __slots__ = ["path", "problem"]
        PATH_FIELD_NUMBER: _ClassVar[int]
        PROBLEM_FIELD_NUMBER: _ClassVar[int]
        path: str
        problem: str
        def __init__(self, path: _Optional[str] = ..., problem: _Optional[str] = ...) -> None: ...
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    COUNTERS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    JOURNAL_FIELD_NUMBER: _ClassVar[int]
    LATENESS_FIELD_NUMBER: _ClassVar[int]
    LOAD_FIELD_NUMBER: _ClassVar[int]
    PLUGINS_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_PATHS_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    RATE_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    RECENT_LATENESS_FIELD_NUMBER: _ClassVar[int]
    RECORDING_FIELD_NUMBER: _ClassVar[int]
    UPTIME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    active: bool
    clock: ClockState
    counters: _containers.RepeatedCompositeFieldContainer[Status.Counter]
    counts: Status.Counts
    epoch: int
    frame: Frame
    history: Status.KeptHistory
    journal: Status.Journal
    lateness: Status.Lateness
    load: Status.Load
    plugin_paths: _containers.RepeatedScalarFieldContainer[str]
    plugins: _containers.RepeatedCompositeFieldContainer[PluginRow]
    process_id: int
    rate_per_second: float
    recent_lateness: Status.Lateness
    recording: Status.Recording
    uptime: float
    version: str
    def __init__(self, version: _Optional[str] = ..., epoch: _Optional[int] = ..., process_id: _Optional[int] = ..., uptime: _Optional[float] = ..., rate_per_second: _Optional[float] = ..., clock: _Optional[_Union[ClockState, _Mapping]] = ..., active: bool = ..., frame: _Optional[_Union[Frame, _Mapping]] = ..., counts: _Optional[_Union[Status.Counts, _Mapping]] = ..., counters: _Optional[_Iterable[_Union[Status.Counter, _Mapping]]] = ..., plugins: _Optional[_Iterable[_Union[PluginRow, _Mapping]]] = ..., recording: _Optional[_Union[Status.Recording, _Mapping]] = ..., lateness: _Optional[_Union[Status.Lateness, _Mapping]] = ..., recent_lateness: _Optional[_Union[Status.Lateness, _Mapping]] = ..., load: _Optional[_Union[Status.Load, _Mapping]] = ..., journal: _Optional[_Union[Status.Journal, _Mapping]] = ..., plugin_paths: _Optional[_Iterable[str]] = ..., history: _Optional[_Union[Status.KeptHistory, _Mapping]] = ...) -> None: ...

class Stop(_message.Message):
    __slots__ = ["by", "outputs", "ramp", "targets"]
    BY_FIELD_NUMBER: _ClassVar[int]
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    RAMP_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    by: Committer
    outputs: bool
    ramp: bool
    targets: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, targets: _Optional[_Iterable[str]] = ..., outputs: bool = ..., ramp: bool = ..., by: _Optional[_Union[Committer, _Mapping]] = ...) -> None: ...

class StreamReport(_message.Message):
    __slots__ = ["cut", "plans"]
    class Place(_message.Message):
        __slots__ = ["call", "stream"]
        CALL_FIELD_NUMBER: _ClassVar[int]
        STREAM_FIELD_NUMBER: _ClassVar[int]
        call: int
        stream: int
        def __init__(self, stream: _Optional[int] = ..., call: _Optional[int] = ...) -> None: ...
    class Plan(_message.Message):
        __slots__ = ["identity", "streams"]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        STREAMS_FIELD_NUMBER: _ClassVar[int]
        identity: IntentionIdentity
        streams: _containers.RepeatedCompositeFieldContainer[StreamReport.Stream]
        def __init__(self, identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., streams: _Optional[_Iterable[_Union[StreamReport.Stream, _Mapping]]] = ...) -> None: ...
    class Stream(_message.Message):
        __slots__ = ["argument_of", "calls", "follows", "property"]
        ARGUMENT_OF_FIELD_NUMBER: _ClassVar[int]
        CALLS_FIELD_NUMBER: _ClassVar[int]
        FOLLOWS_FIELD_NUMBER: _ClassVar[int]
        PROPERTY_FIELD_NUMBER: _ClassVar[int]
        argument_of: StreamReport.Place
        calls: _containers.RepeatedScalarFieldContainer[str]
        follows: StreamReport.Place
        property: str
        def __init__(self, property: _Optional[str] = ..., argument_of: _Optional[_Union[StreamReport.Place, _Mapping]] = ..., calls: _Optional[_Iterable[str]] = ..., follows: _Optional[_Union[StreamReport.Place, _Mapping]] = ...) -> None: ...
    CUT_FIELD_NUMBER: _ClassVar[int]
    PLANS_FIELD_NUMBER: _ClassVar[int]
    cut: bool
    plans: _containers.RepeatedCompositeFieldContainer[StreamReport.Plan]
    def __init__(self, plans: _Optional[_Iterable[_Union[StreamReport.Plan, _Mapping]]] = ..., cut: bool = ...) -> None: ...

class TargetRow(_message.Message):
    __slots__ = ["active", "executors", "intentions", "properties", "target"]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    EXECUTORS_FIELD_NUMBER: _ClassVar[int]
    INTENTIONS_FIELD_NUMBER: _ClassVar[int]
    PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    active: bool
    executors: int
    intentions: int
    properties: int
    target: str
    def __init__(self, target: _Optional[str] = ..., properties: _Optional[int] = ..., executors: _Optional[int] = ..., intentions: _Optional[int] = ..., active: bool = ...) -> None: ...

class Tick(_message.Message):
    __slots__ = ["frame", "last_command", "shape"]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    LAST_COMMAND_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    frame: Frame
    last_command: int
    shape: int
    def __init__(self, frame: _Optional[_Union[Frame, _Mapping]] = ..., last_command: _Optional[int] = ..., shape: _Optional[int] = ...) -> None: ...

class TokenRow(_message.Message):
    __slots__ = ["executor", "token"]
    EXECUTOR_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    executor: ExecutorKey
    token: str
    def __init__(self, executor: _Optional[_Union[ExecutorKey, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class Update(_message.Message):
    __slots__ = ["carry", "commands_applied", "counts", "events", "executors", "frame", "handles", "imposes", "lanes", "remaining", "shape", "velocities"]
    class Activity(_message.Message):
        __slots__ = ["active", "executor"]
        ACTIVE_FIELD_NUMBER: _ClassVar[int]
        EXECUTOR_FIELD_NUMBER: _ClassVar[int]
        active: bool
        executor: int
        def __init__(self, executor: _Optional[int] = ..., active: bool = ...) -> None: ...
    class Emitted(_message.Message):
        __slots__ = ["executor", "intention", "name", "ordinal", "parent"]
        EXECUTOR_FIELD_NUMBER: _ClassVar[int]
        INTENTION_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        ORDINAL_FIELD_NUMBER: _ClassVar[int]
        PARENT_FIELD_NUMBER: _ClassVar[int]
        executor: int
        intention: Intention
        name: str
        ordinal: int
        parent: IntentionIdentity
        def __init__(self, executor: _Optional[int] = ..., parent: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., ordinal: _Optional[int] = ..., intention: _Optional[_Union[Intention, _Mapping]] = ..., name: _Optional[str] = ...) -> None: ...
    class Event(_message.Message):
        __slots__ = ["activity", "emitted", "ended", "failed", "finished", "number", "started"]
        ACTIVITY_FIELD_NUMBER: _ClassVar[int]
        EMITTED_FIELD_NUMBER: _ClassVar[int]
        ENDED_FIELD_NUMBER: _ClassVar[int]
        FAILED_FIELD_NUMBER: _ClassVar[int]
        FINISHED_FIELD_NUMBER: _ClassVar[int]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        STARTED_FIELD_NUMBER: _ClassVar[int]
        activity: Update.Activity
        emitted: Update.Emitted
        ended: Update.Execution
        failed: Update.Failed
        finished: Update.Finished
        number: int
        started: Update.Execution
        def __init__(self, number: _Optional[int] = ..., activity: _Optional[_Union[Update.Activity, _Mapping]] = ..., started: _Optional[_Union[Update.Execution, _Mapping]] = ..., ended: _Optional[_Union[Update.Execution, _Mapping]] = ..., finished: _Optional[_Union[Update.Finished, _Mapping]] = ..., failed: _Optional[_Union[Update.Failed, _Mapping]] = ..., emitted: _Optional[_Union[Update.Emitted, _Mapping]] = ...) -> None: ...
    class Execution(_message.Message):
        __slots__ = ["counts", "executor", "lanes", "moving", "token"]
        COUNTS_FIELD_NUMBER: _ClassVar[int]
        EXECUTOR_FIELD_NUMBER: _ClassVar[int]
        LANES_FIELD_NUMBER: _ClassVar[int]
        MOVING_FIELD_NUMBER: _ClassVar[int]
        TOKEN_FIELD_NUMBER: _ClassVar[int]
        counts: _containers.RepeatedScalarFieldContainer[int]
        executor: int
        lanes: _containers.RepeatedScalarFieldContainer[float]
        moving: _containers.RepeatedScalarFieldContainer[str]
        token: str
        def __init__(self, executor: _Optional[int] = ..., token: _Optional[str] = ..., moving: _Optional[_Iterable[str]] = ..., counts: _Optional[_Iterable[int]] = ..., lanes: _Optional[_Iterable[float]] = ...) -> None: ...
    class Failed(_message.Message):
        __slots__ = ["executor", "identity", "reason"]
        EXECUTOR_FIELD_NUMBER: _ClassVar[int]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        executor: int
        identity: IntentionIdentity
        reason: str
        def __init__(self, executor: _Optional[int] = ..., identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...
    class Finished(_message.Message):
        __slots__ = ["executor", "identity", "outcome"]
        EXECUTOR_FIELD_NUMBER: _ClassVar[int]
        IDENTITY_FIELD_NUMBER: _ClassVar[int]
        OUTCOME_FIELD_NUMBER: _ClassVar[int]
        executor: int
        identity: IntentionIdentity
        outcome: Outcome
        def __init__(self, executor: _Optional[int] = ..., identity: _Optional[_Union[IntentionIdentity, _Mapping]] = ..., outcome: _Optional[_Union[Outcome, str]] = ...) -> None: ...
    CARRY_FIELD_NUMBER: _ClassVar[int]
    COMMANDS_APPLIED_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    EXECUTORS_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    HANDLES_FIELD_NUMBER: _ClassVar[int]
    IMPOSES_FIELD_NUMBER: _ClassVar[int]
    LANES_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    VELOCITIES_FIELD_NUMBER: _ClassVar[int]
    carry: _containers.RepeatedScalarFieldContainer[float]
    commands_applied: int
    counts: _containers.RepeatedScalarFieldContainer[int]
    events: _containers.RepeatedCompositeFieldContainer[Update.Event]
    executors: _containers.RepeatedScalarFieldContainer[int]
    frame: int
    handles: _containers.RepeatedScalarFieldContainer[int]
    imposes: _containers.RepeatedScalarFieldContainer[int]
    lanes: _containers.RepeatedScalarFieldContainer[float]
    remaining: _containers.RepeatedScalarFieldContainer[float]
    shape: int
    velocities: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, frame: _Optional[int] = ..., commands_applied: _Optional[int] = ..., executors: _Optional[_Iterable[int]] = ..., handles: _Optional[_Iterable[int]] = ..., counts: _Optional[_Iterable[int]] = ..., lanes: _Optional[_Iterable[float]] = ..., velocities: _Optional[_Iterable[float]] = ..., imposes: _Optional[_Iterable[int]] = ..., remaining: _Optional[_Iterable[float]] = ..., events: _Optional[_Iterable[_Union[Update.Event, _Mapping]]] = ..., carry: _Optional[_Iterable[float]] = ..., shape: _Optional[int] = ...) -> None: ...

class Values(_message.Message):
    __slots__ = ["complete", "counts", "dt", "forgotten", "frame", "handles", "lanes", "late", "more", "part", "time", "velocities"]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    DT_FIELD_NUMBER: _ClassVar[int]
    FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    HANDLES_FIELD_NUMBER: _ClassVar[int]
    LANES_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    VELOCITIES_FIELD_NUMBER: _ClassVar[int]
    complete: bool
    counts: _containers.RepeatedScalarFieldContainer[int]
    dt: float
    forgotten: _containers.RepeatedScalarFieldContainer[int]
    frame: int
    handles: _containers.RepeatedScalarFieldContainer[int]
    lanes: _containers.RepeatedScalarFieldContainer[float]
    late: _containers.RepeatedScalarFieldContainer[int]
    more: bool
    part: int
    time: float
    velocities: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, frame: _Optional[int] = ..., time: _Optional[float] = ..., dt: _Optional[float] = ..., handles: _Optional[_Iterable[int]] = ..., counts: _Optional[_Iterable[int]] = ..., lanes: _Optional[_Iterable[float]] = ..., velocities: _Optional[_Iterable[float]] = ..., late: _Optional[_Iterable[int]] = ..., complete: bool = ..., forgotten: _Optional[_Iterable[int]] = ..., part: _Optional[int] = ..., more: bool = ...) -> None: ...

class VersionRange(_message.Message):
    __slots__ = ["highest", "lowest"]
    HIGHEST_FIELD_NUMBER: _ClassVar[int]
    LOWEST_FIELD_NUMBER: _ClassVar[int]
    highest: int
    lowest: int
    def __init__(self, lowest: _Optional[int] = ..., highest: _Optional[int] = ...) -> None: ...

class WaitingRow(_message.Message):
    __slots__ = ["at", "operations", "provenance", "sequence", "summary"]
    AT_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    at: float
    operations: int
    provenance: Provenance
    sequence: int
    summary: str
    def __init__(self, sequence: _Optional[int] = ..., at: _Optional[float] = ..., operations: _Optional[int] = ..., summary: _Optional[str] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ["command_topic", "event_topic", "protocol_version", "tick_topic", "wants_updates"]
    COMMAND_TOPIC_FIELD_NUMBER: _ClassVar[int]
    EVENT_TOPIC_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    TICK_TOPIC_FIELD_NUMBER: _ClassVar[int]
    WANTS_UPDATES_FIELD_NUMBER: _ClassVar[int]
    command_topic: str
    event_topic: str
    protocol_version: int
    tick_topic: str
    wants_updates: bool
    def __init__(self, protocol_version: _Optional[int] = ..., command_topic: _Optional[str] = ..., tick_topic: _Optional[str] = ..., event_topic: _Optional[str] = ..., wants_updates: bool = ...) -> None: ...

class WorkerAddress(_message.Message):
    __slots__ = ["instance", "plugin"]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    instance: int
    plugin: str
    def __init__(self, plugin: _Optional[str] = ..., instance: _Optional[int] = ...) -> None: ...

class WorkerHeartbeat(_message.Message):
    __slots__ = ["commands_applied", "conflated_ticks", "interval", "last_event", "tokens"]
    COMMANDS_APPLIED_FIELD_NUMBER: _ClassVar[int]
    CONFLATED_TICKS_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    commands_applied: int
    conflated_ticks: int
    interval: float
    last_event: int
    tokens: int
    def __init__(self, commands_applied: _Optional[int] = ..., last_event: _Optional[int] = ..., tokens: _Optional[int] = ..., interval: _Optional[float] = ..., conflated_ticks: _Optional[int] = ...) -> None: ...

class WorkerRow(_message.Message):
    __slots__ = ["address", "executors", "incarnation", "log", "process_id", "reason", "restarts", "state"]
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    EXECUTORS_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RESTARTS_FIELD_NUMBER: _ClassVar[int]
    STATE_DRAINING: WorkerRow.State
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATE_PROVISIONING: WorkerRow.State
    STATE_QUARANTINED: WorkerRow.State
    STATE_READY: WorkerRow.State
    STATE_STARTING: WorkerRow.State
    STATE_STOPPED: WorkerRow.State
    STATE_UNSPECIFIED: WorkerRow.State
    STATE_WAITING: WorkerRow.State
    address: WorkerAddress
    executors: int
    incarnation: int
    log: _containers.RepeatedScalarFieldContainer[str]
    process_id: int
    reason: str
    restarts: int
    state: WorkerRow.State
    def __init__(self, address: _Optional[_Union[WorkerAddress, _Mapping]] = ..., state: _Optional[_Union[WorkerRow.State, str]] = ..., process_id: _Optional[int] = ..., incarnation: _Optional[int] = ..., restarts: _Optional[int] = ..., executors: _Optional[int] = ..., reason: _Optional[str] = ..., log: _Optional[_Iterable[str]] = ...) -> None: ...

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class IntentionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FieldShape(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
