import { hourMs } from '../../../../lib/durations.ts';
import { timeMs } from '../../../../lib/timestamps.ts';
import type { RequestContext } from '../request-context.ts';
import type { EventInput } from '../schemas.ts';
import type { Rejection } from '../../sites/rules.ts';
import type { DroppedField } from './event-details.ts';

const maxPublicAgeMs = 72 * hourMs;
/** How far a client clock may be ahead without being reported in the response. */
const toleratedAheadMs = 60_000;

const tooOld = (message: string): Rejection => ({
  code: 'timestamp_too_old',
  message,
  field: 'timestamp',
});

/** Returns the time of an event in Unix ms, or why it is rejected. */
export function eventTime(
  { timestamp }: EventInput,
  { receivedAt, clockSkewMs, isTrusted }: RequestContext,
  dropped: DroppedField[],
): number | Rejection {
  if (timestamp === undefined) return receivedAt;
  const time = timeMs(timestamp) + clockSkewMs;
  if (time > receivedAt) {
    if (time - receivedAt > toleratedAheadMs)
      dropped.push({ reason: 'timestamp_clamped', field: 'timestamp' });
    return receivedAt;
  }
  if (time < 0) return tooOld('timestamp is before 1970');
  if (!isTrusted && receivedAt - time > maxPublicAgeMs)
    return tooOld('timestamp is more than 72 hours ago; older events need an API key');
  return time;
}
