// ZeroMQTests
