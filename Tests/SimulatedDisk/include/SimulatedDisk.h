#ifndef SIMULATED_DISK_H
#define SIMULATED_DISK_H

#include <stdbool.h>
#include <stdint.h>

/// The disk below one folder, for the files that SQLite opens there.
///
/// A disk keeps what was written apart from what was synced. A copy after a crash holds what was
/// synced and some of the rest, as a real disk would.
typedef struct simulated_disk simulated_disk;

/// What happens at the operation of `simulated_disk_fail_after`.
enum simulated_failure {
    /// The process dies: nothing that it does from then on reaches the disk.
    SIMULATED_DEATH = 1,
    /// The disk is full for one write.
    SIMULATED_FULL = 2,
};

/// Makes paths below this one simulated, for the whole process; others stay real.
/// Returns false when SQLite refuses.
bool simulated_disk_register(const char *prefix);

/// A new, empty disk for a folder below the registered path.
simulated_disk *simulated_disk_create(const char *folder);

/// A copy as it is now, as `cp` makes one.
simulated_disk *simulated_disk_copy(simulated_disk *disk, const char *folder);

/// A copy as it is after a power cut: what was synced, and of the writes since then those that the
/// seed draws, torn or whole.
simulated_disk *simulated_disk_crash_copy(simulated_disk *disk, const char *folder, uint64_t seed);

/// Lets go of a disk; its memory goes once the last connection to it is closed.
void simulated_disk_release(simulated_disk *disk);

/// Makes the operation with this number from now on fail, counting writes, syncs, truncations and
/// deletions from 1; 0 takes an earlier wish back.
void simulated_disk_fail_after(simulated_disk *disk, uint64_t operations, enum simulated_failure kind);

/// Nothing that is done from now on reaches the disk.
void simulated_disk_kill(simulated_disk *disk);

bool simulated_disk_is_dead(simulated_disk *disk);

/// Counts an operation on a file that is not of the disk. False when the process is dead, or dies over it.
bool simulated_disk_operate(simulated_disk *disk);

/// How often a wished failure happened.
uint64_t simulated_disk_failures(simulated_disk *disk);

/// Operations so far that changed the disk.
uint64_t simulated_disk_operations(simulated_disk *disk);

/// Bytes that a crash copy might drop now.
uint64_t simulated_disk_unsynced_bytes(simulated_disk *disk);

#endif
