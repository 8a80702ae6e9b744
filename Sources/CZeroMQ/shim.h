// The whole of libzmq's public interface, as installed by libzmq3-dev.
#include <zmq.h>
