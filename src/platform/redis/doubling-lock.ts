/** How many consecutive failures lock something, and for how long. Times in ms. */
export interface LockRule {
  failures: number;
  /** Duration of the first lock. Each further one is twice as long. */
  lockMs: number;
  longestLockMs: number;
}

/**
 * Lua functions to prepend to a script. `lockLeft(lock)` returns the remaining ms of a lock, 0
 * without one. `countFailure(lock, failures, most, ms, longest)` counts a failure in the hash
 * `failures` and returns true when the failure has caused a lock; the last three arguments are
 * `lockArguments`. Delete the hash to reset the count.
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

/** The last three arguments of `countFailure`, in order. */
export const lockArguments = ({
  failures,
  lockMs,
  longestLockMs,
}: LockRule): [failures: number, lockMs: number, longestLockMs: number] => [
  failures,
  lockMs,
  longestLockMs,
];
