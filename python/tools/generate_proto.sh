#!/bin/sh
# Generates the messages of the protocol. Use protoc 3.21 (Debian 12): its output works with every later protobuf.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
output="${1:-$root/python/motiond/_proto}"
protoc -I"$root/Sources/MotionWire" --python_out="$output" --pyi_out="$output" motion.proto
