// libsodium's hashes, as installed by libsodium-dev. libzmq stands on the same library.
#include <sodium.h>
