"""What the viewers of this folder share."""
import base64, json

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory


def show(**event):
    print(json.dumps(event), flush=True)


def decode(channel, payload):
    """A message by the schema that the server has advertised."""
    if channel["encoding"] == "json":
        return json.loads(payload)
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(channel["schema"])).file:
        pool.Add(file)
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(channel["schemaName"])).FromString(payload)
    values = {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
    return {name: value if isinstance(value, (int, float, str)) else list(value) for name, value in values.items()}


def shape(value):
    """The types of a JSON value."""
    if isinstance(value, dict):
        return {key: shape(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def compare(place, ours, theirs):
    """The differences between two shapes."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(set(ours) | set(theirs)):
            if key not in ours:
                yield f"{place}: {key} is missing"
            elif key not in theirs:
                yield f"{place}: {key} is more"
            else:
                yield from compare(f"{place}.{key}", ours[key], theirs[key])
    elif isinstance(ours, list) and isinstance(theirs, list):
        # An empty list has any type.
        if ours and theirs:
            yield from compare(place, ours[0], theirs[0])
    elif ours != theirs:
        yield f"{place}: {ours} instead of {theirs}"
