/**
 * Redis scripts for the hash of a user: `user`, `not_before`, and `s:<session id>` for each
 * session. One read is enough to check a session, and ending all sessions can't miss one that is
 * opened concurrently.
 */
export const sessionScripts = {
  // ARGV now, begun, session id, record, user, max sessions, ttl
  // → 1, or 0 when all sessions were ended after the sign-in began
  sessionCreate: `
    local not_before = tonumber(redis.call('HGET', KEYS[1], 'not_before') or '0')
    if tonumber(ARGV[2]) < not_before then return 0 end
    -- HLEN also counts user and not_before; that only makes the scan start a little early.
    if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[6]) then
      local now, live = tonumber(ARGV[1]), {}
      local all = redis.call('HGETALL', KEYS[1])
      for at = 1, #all, 2 do
        if string.sub(all[at], 1, 2) == 's:' then
          local session = cjson.decode(all[at + 1])
          if session.expires_at <= now then redis.call('HDEL', KEYS[1], all[at])
          else table.insert(live, { all[at], session.created_at }) end
        end
      end
      table.sort(live, function(a, b) return a[2] < b[2] end)
      for at = 1, #live - tonumber(ARGV[6]) + 1 do redis.call('HDEL', KEYS[1], live[at][1]) end
    end
    redis.call('HSET', KEYS[1], 's:' .. ARGV[3], ARGV[4])
    redis.call('HSETNX', KEYS[1], 'user', ARGV[5])
    redis.call('PEXPIRE', KEYS[1], math.max(tonumber(ARGV[7]), redis.call('PTTL', KEYS[1])))
    return 1`,
  // ARGV session id, now → 1, or 0 when the session has ended
  sessionTouch: `
    local raw = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
    if not raw then return 0 end
    local session = cjson.decode(raw)
    session.used_at = math.max(session.used_at, tonumber(ARGV[2]))
    redis.call('HSET', KEYS[1], 's:' .. ARGV[1], cjson.encode(session))
    return 1`,
  // ARGV now, ttl, id of the session to keep or '' → number of sessions ended
  sessionEndAll: `
    local ended, all = 0, redis.call('HKEYS', KEYS[1])
    for _, field in ipairs(all) do
      if string.sub(field, 1, 2) == 's:' and field ~= 's:' .. ARGV[3] then
        redis.call('HDEL', KEYS[1], field)
        ended = ended + 1
      end
    end
    redis.call('HSET', KEYS[1], 'not_before', ARGV[1])
    redis.call('PEXPIRE', KEYS[1], math.max(tonumber(ARGV[2]), redis.call('PTTL', KEYS[1])))
    return ended`,
  // ARGV session id, generation of the refresh token, now, grace → a RefreshOutcome
  sessionRefresh: `
    local raw = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
    if not raw then return 'gone' end
    local session, generation, now = cjson.decode(raw), tonumber(ARGV[2]), tonumber(ARGV[3])
    if session.expires_at <= now then return 'gone' end
    if generation == session.generation then
      session.generation = generation + 1
      session.previous_issued_at = session.issued_at
      session.issued_at = now
      session.used_at = now
      redis.call('HSET', KEYS[1], 's:' .. ARGV[1], cjson.encode(session))
      return 'rotated'
    end
    local isInGrace = now - session.issued_at <= tonumber(ARGV[4])
    if generation == session.generation - 1 and isInGrace then return 'again' end
    redis.call('HDEL', KEYS[1], 's:' .. ARGV[1])
    return 'reused'`,
  // ARGV session id, now, acr, amr → 1, or 0 when the session has ended
  sessionConfirm: `
    local raw = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
    if not raw then return 0 end
    local session = cjson.decode(raw)
    session.auth_time = tonumber(ARGV[2])
    session.acr = ARGV[3]
    session.amr = cjson.decode(ARGV[4])
    redis.call('HSET', KEYS[1], 's:' .. ARGV[1], cjson.encode(session))
    return 1`,
  // ARGV session id, device record → 1, or 0 when the session has ended
  sessionSetDevice: `
    local raw = redis.call('HGET', KEYS[1], 's:' .. ARGV[1])
    if not raw then return 0 end
    local session = cjson.decode(raw)
    session.device = cjson.decode(ARGV[2])
    redis.call('HSET', KEYS[1], 's:' .. ARGV[1], cjson.encode(session))
    return 1`,
  // ARGV device id, its new state, or '' to end its sessions → number of sessions on the device
  sessionsOfDevice: `
    local count, all = 0, redis.call('HGETALL', KEYS[1])
    for at = 1, #all, 2 do
      if string.sub(all[at], 1, 2) == 's:' and string.find(all[at + 1], ARGV[1], 1, true) then
        local session = cjson.decode(all[at + 1])
        if session.device and session.device.id == ARGV[1] then
          count = count + 1
          if ARGV[2] == '' then redis.call('HDEL', KEYS[1], all[at])
          else
            session.device.state = ARGV[2]
            redis.call('HSET', KEYS[1], all[at], cjson.encode(session))
          end
        end
      end
    end
    return count`,
  // ARGV user, '1' when the user has just changed, freshness in ms → 1, or 0 when the stored
  // user was read later. A stored time far in the future dates from before a clock was set back.
  sessionPutUser: `
    local raw = redis.call('HGET', KEYS[1], 'user')
    if not raw then return 0 end
    local later = cjson.decode(raw).at - cjson.decode(ARGV[1]).at
    if ARGV[2] == '0' and later > 0 and later < tonumber(ARGV[3]) then return 0 end
    redis.call('HSET', KEYS[1], 'user', ARGV[1])
    return 1`,
};
