#pragma once
#include <stddef.h>
#include <stdint.h>

/// Reads, scales and writes two rows of numbers: the least that a step of springs can do.
///
/// Compiled for 128, 256 and 512 bits, and chosen at run time, as the loops of the springs are.
void reference_scale(double *first, double *second, size_t count, double by_first, double by_second);

/// A step of springs that share their matrix, without a test for rest.
void reference_step(double *displacements, double *velocities, size_t count);

/// The same in numbers of 32 bits.
void reference_step_single(float *displacements, float *velocities, size_t count);

/// The same with half of it on a second thread, which sleeps in between; it stays until the process ends.
void reference_step_on_two_threads(double *displacements, double *velocities, size_t count);

/// How often this process has allocated memory since it began.
uint64_t reference_allocations(void);

/// How often a reference was counted to an object of Swift's while that was watched; it is from now on, or not.
uint64_t reference_retains(int is_counting);

// Messages: bare libzmq. Times are nanoseconds of the boot clock; what is not said to return does so only on an error.

/// The boot clock.
int64_t reference_boot_clock(void);

/// The processor's time that all threads of a process have taken, in nanoseconds; -1 if there is no such process.
int64_t reference_processor_time(int32_t process);

/// Waits `count` times for a timer in a set that is polled, and writes how late it woke.
void reference_timer(int64_t count, int64_t period, int64_t *lateness);

/// A ROUTER that sends back what it hears. Does not return.
int reference_echo(const char *endpoint);

/// Sends so many bytes to it from a DEALER, again and again, and writes how long each answer took.
///
/// Returns how many were answered.
int64_t reference_ping(const char *endpoint, size_t bytes, int64_t count, int64_t *nanoseconds);

/// Sends so many bytes to it each period by each of so many connections, and waits for each answer.
///
/// Returns how many were answered.
int64_t reference_pace(const char *endpoint, size_t bytes, int64_t connections, int64_t rounds, int64_t period);

/// The same without end: a client that is busy. Returns on an error only.
int reference_ask_for_ever(const char *endpoint, size_t bytes);

/// Appends so many bytes (at most 4096) to a new file and syncs it, again and again: what a disk asks for a promise.
/// Returns how often it was done.
int64_t reference_sync(const char *path, size_t bytes, int64_t count, int64_t *nanoseconds);

/// A worker that answers each tick (SUB with CONFLATE) with so many bytes on its XPUB. Does not return.
int reference_answer(const char *ticks, const char *events, size_t bytes);

/// Publishes ticks of so many bytes to it, one when the one before was answered, and writes how long each took.
///
/// With `values` each tick is followed by a message of one value there, once somebody listens; NULL leaves that out.
int64_t reference_ask(
    const char *ticks, const char *events, const char *values, size_t bytes, int64_t count, int64_t *nanoseconds);

/// Each period, steps so many lanes by the bare loop and publishes them to all who subscribed, in messages of 64 KiB,
/// once so many have. A message is "v/", a zero byte, when it was sent, the number of the frame, the lanes. Does not return.
int reference_frames(const char *endpoint, int64_t subscribers, int64_t lanes, int64_t period);

/// A message as it was heard: when, how long it was, and how it begins.
struct reference_heard {
  int64_t received;
  size_t length;
  unsigned char head[128];
};

struct reference_listener;

/// Subscribes to what begins with these bytes.
struct reference_listener *reference_listener_open(const char *endpoint, const void *topic, size_t topic_length);

/// Hears the next message, or returns libzmq's number of an error (EAGAIN) if there is none in time.
int reference_listener_hear(struct reference_listener *listener, struct reference_heard *heard, int milliseconds);

void reference_listener_close(struct reference_listener *listener);

/// Copies bytes into new memory and forgets them: the least that writing or reading a message can do.
void reference_copy(const void *bytes, size_t count);

/// A process with one socket that waits for what never comes.
void reference_rest(const char *endpoint);

// Lamps: sACN by loopback, to its own port.

/// Each period, sends so many universes and a packet that lets receivers show them. Returns on an error only.
int reference_lamps_send(int64_t universes, int64_t period);

/// A frame of lamps: how many universes came, and when the first of them and the synchronization came, in nanoseconds, as
/// the kernel noted them.
struct reference_frame {
  int64_t packets;
  int64_t first;
  int64_t last;
};

/// A socket that receives sACN; -1 if it is another's.
int reference_lamps_open(void);

/// Receives so many frames. Returns how many came: fewer if there is silence for three seconds.
int64_t reference_lamps_hear(int listener, int64_t count, struct reference_frame *frames);
