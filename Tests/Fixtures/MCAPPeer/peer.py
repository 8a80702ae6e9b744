"""Reads and writes MCAP files with PyPI `mcap`, and decodes their messages with `mcap-protobuf-support`.

    peer.py read FILE            the file's records, one JSON object a line: read from its beginning, then by its index
    peer.py between FILE A B     the messages with a log time from A to B, found by the index
    peer.py write FILE           a file without compression
    peer.py compress FILE        the same, compressed with zstd
    peer.py decode FILE          each message as JSON, decoded by the schema in the file; doubles as texts, which are exact
"""

import io
import json
import sys

from mcap.reader import NonSeekingReader, SeekingReader
from mcap.writer import CompressionType, Writer


def show(**values):
    print(json.dumps(values, sort_keys=True))


def show_messages(kind, messages):
    for _, channel, message in messages:
        show(kind=kind, topic=channel.topic, sequence=message.sequence, log=message.log_time,
             publish=message.publish_time, data=list(message.data))


def read(path):
    # The checksums of chunks, data and summary are verified here.
    with open(path, "rb") as file:
        reader = NonSeekingReader(file, validate_crcs=True)
        header = reader.get_header()
        show(kind="header", profile=header.profile, library=header.library)
    with open(path, "rb") as file:
        reader = NonSeekingReader(file, validate_crcs=True)
        show_messages("streamed", reader.iter_messages(log_time_order=False))
    with open(path, "rb") as file:
        reader = SeekingReader(file, validate_crcs=True)
        summary = reader.get_summary()
        for schema in summary.schemas.values():
            show(kind="schema", id=schema.id, name=schema.name, encoding=schema.encoding, data=list(schema.data))
        for channel in summary.channels.values():
            show(kind="channel", id=channel.id, schema=channel.schema_id, topic=channel.topic,
                 encoding=channel.message_encoding, metadata=channel.metadata)
        for metadata in reader.iter_metadata():
            show(kind="metadata", name=metadata.name, values=metadata.metadata)
        counts = summary.statistics
        show(kind="statistics", messages=counts.message_count, chunks=counts.chunk_count,
             schemas=counts.schema_count, channels=counts.channel_count, metadata=counts.metadata_count,
             start=counts.message_start_time, end=counts.message_end_time,
             counts={str(key): value for key, value in counts.channel_message_counts.items()})
        show_messages("found", reader.iter_messages())


def between(path, start, end):
    with open(path, "rb") as file:
        reader = SeekingReader(file, validate_crcs=True)
        # The end of a range is not part of it there.
        show_messages("found", reader.iter_messages(start_time=int(start), end_time=int(end) + 1))


def write(path, compression):
    with open(path, "wb") as file:
        writer = Writer(file, chunk_size=2048, compression=compression)
        writer.start("motion", "the peer of a test")
        schema = writer.register_schema("number", "jsonschema", b'{"type": "number"}')
        channels = [writer.register_channel(f"topic/{index}", "json", schema, {"index": str(index)}) for index in (0, 1)]
        writer.add_metadata("about", {"name": "välue", "empty": ""})
        writer.add_attachment(7, 8, "note", "text/plain", b"an attachment that is skipped")
        for index in range(500):
            writer.add_message(channels[index % 2], 1000 + 10 * index, json.dumps(index).encode(), 10 * index, index)
        writer.finish()


def texts(content):
    if isinstance(content, float):
        return repr(content)
    if isinstance(content, dict):
        return {key: texts(value) for key, value in content.items()}
    return [texts(value) for value in content] if isinstance(content, list) else content


def decode(path):
    from google.protobuf.json_format import MessageToDict
    from mcap_protobuf.decoder import DecoderFactory

    with open(path, "rb") as file:
        reader = SeekingReader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for schema, channel, message, content in reader.iter_decoded_messages():
            show(topic=channel.topic, log=message.log_time, type=schema.name, content=texts(MessageToDict(content)))


def main():
    sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", write_through=False)
    mode, path, *rest = sys.argv[1:]
    if mode == "read":
        read(path)
    elif mode == "between":
        between(path, *rest)
    elif mode == "write":
        write(path, CompressionType.NONE)
    elif mode == "compress":
        write(path, CompressionType.ZSTD)
    elif mode == "decode":
        decode(path)


main()
