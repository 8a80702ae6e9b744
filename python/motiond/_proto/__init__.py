"""The generated messages of the protocol: `tools/generate_proto.sh` makes them of `motion.proto`."""
