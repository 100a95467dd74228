/** After how many failures in a row something is locked, and for how long. Times in ms. */
export interface LockRule {
  failures: number;
  /** The first lock; each further one is twice as long. */
  lockMs: number;
  longestLockMs: number;
}

/**
 * Lua functions for the head of a script. `lockLeft(lock)` gives the ms that are left of a lock, 0
 * without one. `countFailure(lock, failures, most, ms, longest)` counts a failure in the hash
 * `failures` and is true when that was the one too many, which locks; the last three are
 * `lockArguments`. Deleting the hash ends the row of failures.
 */
export const doublingLock = `
    local function lockLeft(lock) return math.max(0, redis.call('PTTL', lock)) end
    local function countFailure(lock, failures, most, ms, longest)
      local count = redis.call('HINCRBY', failures, 'failures', 1)
      redis.call('PEXPIRE', failures, longest * 2)
      if count < tonumber(most) then return false end
      local locks = redis.call('HINCRBY', failures, 'locks', 1)
      redis.call('HSET', failures, 'failures', 0)
      redis.call('SET', lock, '1', 'PX', math.min(tonumber(longest), ms * 2 ^ (locks - 1)))
      return true
    end`;

/** What `countFailure` has to be told, in its order. */
export const lockArguments = ({
  failures,
  lockMs,
  longestLockMs,
}: LockRule): [failures: number, lockMs: number, longestLockMs: number] => [
  failures,
  lockMs,
  longestLockMs,
];
