// Between accept.c and connections.c.
#pragma once

/// Lets connections be watched whose descriptors are up to this: 1, or 0 without memory for it. The first call counts.
int motion_watch_connections(int highest);

/// Whether connections to a listener get descriptors of a range of their own.
int motion_has_own_range(int listener);

/// Takes up a connection that was accepted: its descriptor from now on, or -1 if it was closed because there is no room.
int motion_take_connection(int listener, int descriptor);
