import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { formatDateTime } from '../../../../platform/i18n/dates.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { texts } from '../texts/en.ts';

const words = texts.targets;

/** When the code works, and how often, in sentences. */
export function scheduleLines(code: QrCodeView): string[] {
  const { starts_at: starts, expires_at: expires, expired_url: after, scan_limit: most } = code;
  const lines = [
    starts === null ? undefined : words.starts({ at: formatDateTime(starts) }),
    expires === null ? undefined : words.ends({ at: formatDateTime(expires) }),
    most === null
      ? undefined
      : words.limit({ used: formatNumber(code.scans_used), most: formatNumber(most) }),
    (expires ?? most) === null
      ? undefined
      : after === null
        ? words.afterNothing
        : words.after({ url: readableUrl(after) }),
  ].filter((line) => line !== undefined);
  return lines.length === 0 ? [words.always] : lines;
}
