import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { demoNumber } from './people.ts';

/** Texts are spread by their hash, so that the same year comes out again. */
const hash = (column: string): RawBuilder<unknown> => sql`abs(hashtext(${sql.ref(column)}::text))`;

/** Sign-ins, and what follows from them. */
const comings = (until: RawBuilder<Date>): RawBuilder<unknown>[] => [
  // Sign-ins whose sessions ended long ago: everybody comes back in a rhythm of their own.
  sql`insert into audit_events (id, at, action, outcome, reason, actor_kind, actor_id, target_kind,
      target_id, address, request_id, details)
    select uuidv7(at - now()), at, action, case when is_failure then 'failure' else 'success' end,
      case when is_failure then 'otp.invalid' end,
      case when is_user then 'user' else 'anonymous' end,
      case when is_user then id::text end, case when is_user then 'user' else 'identifier' end,
      case when is_user then id::text else md5(id::text) end,
      '198.18.' || ${hash('id')} % 250 || '.7', md5(at::text || id), '{"channel": "email"}'
    from (select id, created_at, 3 + ${hash('id')} % 5 * (1 + ${hash('id')} % 4) as days,
        case ${hash('id')} % 5 when 0 then 60 else 400 end as stays
      from users where disabled_at is null) people,
      generate_series(1, least(stays, extract(day from ${until} - created_at)::int - 5) / days)
        visit,
      lateral (select abs(hashtext(id::text || visit)) as hash) hashes,
      (values ('otp.sent', 0), ('otp.failed', 19), ('otp.verified', 24), ('session.created', 25))
        steps (action, seconds),
      lateral (select created_at + visit * days * interval '1 day'
          + hash % 600 * interval '1 minute' + seconds * interval '1 second' as at,
        action = 'otp.failed' as is_failure, action = 'session.created' as is_user) facts
    where not is_failure or hash % 16 = 0`,
  sql`update users set last_seen_at = coalesce((select max(at) from audit_events
    where action = 'session.created' and actor_id = users.id::text), created_at)`,
  sql`update devices set last_seen = greatest(last_seen,
    ${until} - ${hash('id')} % 70 * interval '1 hour') where state = 'cleared'`,
  // Most of those who were approved have made an account.
  sql`update waitlist_entries set status = 'joined',
    joined_at = approved_at + (1 + ${hash('email')} % 90) * interval '1 hour'
    where id in (select id from waitlist_entries where status = 'approved'
      order by approved_at, id limit 28)`,
];

const statements = (until: RawBuilder<Date>): RawBuilder<unknown>[] => [
  // What checks measured: short failures, and the response times of two days.
  sql`insert into status_spans (id, component_id, status, began_at, ended_at, cause)
    select uuidv7(start - now()), component, 'degraded_performance', start,
      start + minutes * interval '1 minute', 'check'
    from (values ('realtime', 1705, 6), ('redis', 1322, 2), ('shop', 940, 11), ('jobs', 675, 4),
      ('checkout', 291, 7), ('shop', 146, 3)) failures (component, hours, minutes),
      lateral (select ${until} - hours * interval '61 minutes' as start) times`,
  sql`insert into status_response_times (component_id, hour, count, sum_ms)
    select component, start, count, round(count * mean * (0.85 + random() * 0.4))
    from (values ('database', 1.1, 1800), ('redis', 0.6, 1800), ('shop', 41, 60),
      ('checkout', 96, 60)) means (component, mean, count),
      generate_series(date_trunc('hour', ${until}) - interval '47 hours', ${until}, '1 hour')
      start`,
  // Taps that were refused: one of the certificates has been copied.
  sql`insert into nfc_alarms
    (id, tag_id, kind, hour, count, resolved, last_at, created_at, updated_at)
    select uuidv7(last - now()), case when kind <> 'unknown_code' then
        (select id from nfc_tags where mode = 'sun' order by name desc limit 1) end,
      kind, date_trunc('hour', last), 1 + hours % 9, hours > 100, last, last, last
    from (values ('cloned', 9), ('replayed', 42), ('forged', 75), ('cloned', 99),
      ('replayed', 130), ('unknown_code', 166)) alarms (kind, hours),
      lateral (select ${until} - hours * interval '59 minutes' as last) times`,
  // Nobody holds the devices that wait: all of them show the same number, which the demo prints.
  sql`update clearance_requests set number = ${demoNumber}, reason = coalesce(reason,
    (array['New work laptop', 'My old phone broke', 'Browser was set up again'])
      [${hash('id')} % 3 + 1]) where state = 'open'`,
  sql`update signups set plan =
    (array['free', 'team', 'business'])[${hash('email')} % 4 + 1]`,
  sql`update contact_messages set network = '198.51.100.0/24',
    proof = case when spam_reason is null then 'solved' else 'none' end, noticed_at = created_at`,
  // The demo sends these again when it starts, so that its outbox is not empty.
  sql`update contact_replies set delivery_id = null`,
  // Messages as providers would have sent them: some at the second attempt, some never.
  sql`update deliveries set provider = case channel when 'sms' then 'webhook' else 'smtp' end,
    provider_reference = md5(id::text),
    attempts = case ${hash('id')} % 40 when 0 then 2 else 1 end`,
  sql`update deliveries set attempts = 4, status = 'failed', provider_reference = null,
    error_code = case channel when 'sms' then 'http_500' else 'smtp_550' end
    where ${hash('id')} % 50 = 1`,
];

/** The taps of an NFC tag. */
export interface TapCount {
  taps: number;
  /** Unix ms. */
  last: number;
}

const tapStatement = (code: string, { taps, last }: TapCount): RawBuilder<unknown> =>
  sql`update nfc_tags set taps = ${taps}, last_tapped_at = ${new Date(last)},
    last_counter = case when mode <> 'plain' then ${taps}::integer end where code = ${code}`;

/**
 * Adds what no request can tell of the past; `until` is its end (Unix ms). `taps` are those of the
 * NFC tags among the events, by code.
 */
export async function addHistory(
  db: Database,
  until: number,
  taps: ReadonlyMap<string, TapCount>,
): Promise<void> {
  const ofTags = [...taps].map(([code, counted]) => tapStatement(code, counted));
  const end = sql<Date>`${new Date(until)}::timestamptz`;
  const all = [...comings(end), ...statements(end), ...ofTags];
  for (const statement of all) await statement.execute(db);
}
