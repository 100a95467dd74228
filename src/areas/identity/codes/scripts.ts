import { doublingLock } from '../../../platform/redis/doubling-lock.ts';

const shared = `${doublingLock}
    local function isClosed(guesses, most)
      return tonumber(redis.call('GET', guesses) or '0') >= tonumber(most)
    end`;

/**
 * Atomic scripts that use Redis' own clock, because an application server's clock can jump. They
 * count an attempt before they compare codes, and remove a right code in the same step: of a
 * thousand concurrent right codes one succeeds, of a thousand wrong ones five are compared.
 */
export const codeScripts = {
  // KEYS lock, sends, code, prefix, day, country, guesses, address; ARGV mac, verification id,
  // purpose, lifetime, attempts, muted, prefix cap, day cap, breaker's sends, ratio and ms, max
  // guesses, cap per address, count from which only existing accounts get codes, account status
  // ('account', 'first', '' when not looked up), then pairs of max sends and ms
  otpSend: `${shared}
    local t = redis.call('TIME')
    local now = t[1] * 1000 + math.floor(t[2] / 1000)
    if isClosed(KEYS[7], ARGV[12]) then return { 'closed', 0 } end
    local lock = lockLeft(KEYS[1])
    if lock > 0 then return { 'locked', lock } end
    local longest, wait = 0, 0
    for at = 16, #ARGV, 2 do
      local most, span = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
      longest = math.max(longest, span)
      local recent = redis.call('ZCOUNT', KEYS[2], now - span + 1, '+inf')
      if recent >= most then
        local oldest = redis.call('ZRANGE', KEYS[2], -most, -most, 'WITHSCORES')
        wait = math.max(wait, tonumber(oldest[2]) + span - now)
      end
    end
    if wait > 0 then return { 'limited', wait } end
    local day = tonumber(redis.call('GET', KEYS[5]) or '0')
    if day >= tonumber(ARGV[8]) then
      return { 'budget', math.max(1, redis.call('PTTL', KEYS[5])) }
    end
    if KEYS[8] ~= '' and tonumber(redis.call('GET', KEYS[8]) or '0') >= tonumber(ARGV[13]) then
      return { 'share', math.max(1, redis.call('PTTL', KEYS[8])) }
    end
    local isReserved = day >= tonumber(ARGV[14])
    if isReserved and ARGV[15] == '' then return { 'reserve', 0 } end
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - longest)
    redis.call('ZADD', KEYS[2], now, ARGV[2])
    redis.call('PEXPIRE', KEYS[2], longest)
    -- Counted whether something is sent or not: else the share would tell which it was.
    if KEYS[8] ~= '' and redis.call('INCR', KEYS[8]) == 1 then
      redis.call('PEXPIRE', KEYS[8], 86400000)
    end
    local muted = ARGV[6] == '1'
    if KEYS[4] ~= '' and not muted then
      local sent = redis.call('INCR', KEYS[4])
      if sent == 1 then redis.call('PEXPIRE', KEYS[4], 3600000) end
      muted = sent > tonumber(ARGV[7])
    end
    local isKept = isReserved and ARGV[15] == 'first' and not muted
    muted = muted or isKept
    if KEYS[6] ~= '' and not muted then
      local stat = redis.call('HMGET', KEYS[6], 'sent', 'verified')
      local sent, verified = tonumber(stat[1] or '0'), tonumber(stat[2] or '0')
      muted = sent >= tonumber(ARGV[9]) and verified < sent * tonumber(ARGV[10])
      if not muted and redis.call('HINCRBY', KEYS[6], 'sent', 1) == 1 then
        redis.call('PEXPIRE', KEYS[6], ARGV[11])
      end
    end
    -- Those of the last ten minutes: older ones would tell that someone has signed in today.
    local sends = redis.call('ZCOUNT', KEYS[2], now - 599999, '+inf')
    redis.call('DEL', KEYS[3])
    if muted then return { isKept and 'kept' or 'muted', sends } end
    redis.call('INCR', KEYS[5])
    if day == 0 then redis.call('PEXPIRE', KEYS[5], 86400000) end
    redis.call('HSET', KEYS[3], 'mac', ARGV[1], 'id', ARGV[2], 'purpose', ARGV[3],
      'owner', ARGV[5], 'stranger', ARGV[5])
    redis.call('PEXPIRE', KEYS[3], ARGV[4])
    return { 'sent', sends }`,
  // KEYS lock, code, failures, country, guesses; ARGV mac, purpose, the owner's verification id or
  // '', arguments of the lock, max guesses and their TTL in ms
  otpCheck: `${shared}
    if isClosed(KEYS[5], ARGV[7]) then return { 'closed', 0 } end
    local budget = ARGV[3] == '' and 'stranger' or 'owner'
    local code = redis.call('HMGET', KEYS[2], 'mac', 'purpose', budget, 'used', 'id')
    if ARGV[3] ~= '' and code[5] ~= ARGV[3] then return { 'other', 0 } end
    local tries = code[1] and tonumber(code[3]) or 0
    local lock = lockLeft(KEYS[1])
    if lock > 0 and (budget ~= 'owner' or tries < 1) then return { 'locked', lock } end
    -- The right code once more, by a double click or a retry: worthless, but not a guess.
    if code[4] == ARGV[1] then return { 'wrong', 0 } end
    if tries > 0 then
      local left = redis.call('HINCRBY', KEYS[2], budget, -1)
      if code[1] == ARGV[1] and code[2] == ARGV[2] then
        redis.call('HSET', KEYS[2], 'used', ARGV[1])
        redis.call('HDEL', KEYS[2], 'mac', 'purpose', 'owner', 'stranger')
        redis.call('DEL', KEYS[3], KEYS[5])
        if KEYS[4] ~= '' and redis.call('EXISTS', KEYS[4]) == 1 then
          redis.call('HINCRBY', KEYS[4], 'verified', 1)
        end
        return { 'right', 0 }
      end
      if left == 0 and budget == 'owner' then redis.call('DEL', KEYS[2]) end
      redis.call('INCR', KEYS[5])
      redis.call('PEXPIRE', KEYS[5], ARGV[8])
    end
    local isLocking = countFailure(KEYS[1], KEYS[3], ARGV[4], ARGV[5], ARGV[6])
    if isClosed(KEYS[5], ARGV[7]) then
      redis.call('PERSIST', KEYS[5])
      redis.call('DEL', KEYS[2])
      return { 'closing', 0 }
    end
    return { isLocking and 'locking' or 'wrong', 0 }`,
  // KEYS guesses, lock, failures; ARGV max guesses
  otpReopen: `${shared}
    if not isClosed(KEYS[1], ARGV[1]) then return { 'open', 0 } end
    redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
    return { 'reopened', 0 }`,
};
