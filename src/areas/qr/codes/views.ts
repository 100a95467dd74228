import type { Selectable } from 'kysely';
import { z } from 'zod';
import { storedUrl } from '../../../lib/net/public-url.ts';
import type { Row } from '../../../platform/resource/table-list.ts';
import { viewFromRow } from '../../../platform/resource/table-service.ts';
import { QrContent } from '../payloads/contents.ts';
import { payloadOf } from '../payloads/payload.ts';
import { withDialableNumbers } from '../payloads/phone-number.ts';
import { qrCodeResource } from '../resource.ts';
import type { Resources } from '../../../platform/resources.ts';
import { type Campaign, withCampaign } from '../target-choice.ts';
import { type QrCodeBody, QrCodeView } from '../schemas.ts';
import { statusOf } from './status.ts';
import type { Tables } from '../../../platform/database/tables.ts';

const text = z.string().nullable();
const StoredCode = z.looseObject({
  code: z.string(),
  dynamic: z.boolean(),
  active: z.boolean(),
  starts_at: z.date().nullable(),
  expires_at: z.date().nullable(),
  scan_limit: z.int().nullable(),
  scans_used: z.int(),
  password: text,
  url: text,
  content: QrContent.nullable(),
  utm_source: text,
  utm_medium: text,
  utm_campaign: text,
  utm_term: text,
  utm_content: text,
});

const shortUrlOf = (code: string, baseUrl: string): string => `${baseUrl}/q/${code}`;

/** What the picture of a code is made from. */
type Pictured = Campaign &
  Pick<Selectable<Tables['qr_codes']>, 'code' | 'dynamic' | 'url'> & { content: QrContent | null };

/**
 * The text in the picture. The short link in it says that it was scanned, unlike one that someone
 * sends in a message.
 */
export function textOf(stored: Pictured, baseUrl: string): string {
  if (stored.dynamic) return `${shortUrlOf(stored.code, baseUrl)}?qr=1`;
  if (stored.content !== null) return payloadOf(stored.content);
  return withCampaign(storedUrl(stored.url ?? ''), stored);
}

/** The text in the picture of a code that would be created with this short code. */
export const textOfBody = async (
  {
    content,
    url,
    dynamic,
    ...campaign
  }: Campaign & Pick<QrCodeBody, 'content' | 'url' | 'dynamic'>,
  code: string,
  baseUrl: string,
): Promise<string> =>
  textOf(
    {
      ...campaign,
      code,
      url: url ?? null,
      dynamic: content === undefined && dynamic,
      content: content === undefined ? null : await withDialableNumbers(content),
    },
    baseUrl,
  );

/** Creates the function that turns a row into a view, without its scans. */
export const createToView =
  ({ baseUrl, clock }: Pick<Resources, 'baseUrl' | 'clock'>) =>
  (row: Row): QrCodeView => {
    const stored = StoredCode.parse(row);
    return QrCodeView.parse({
      ...viewFromRow(qrCodeResource, row),
      status: statusOf(stored, clock.now()),
      short_url: stored.dynamic ? shortUrlOf(stored.code, baseUrl) : null,
      text: textOf(stored, baseUrl),
      has_password: stored.password !== null,
      scans: null,
      last_scanned_at: null,
    });
  };
