import type { LinkRequest } from '../../analytics/ingest/link-events.ts';
import type { QrParts } from '../compose.ts';
import { scanEvent } from '../events.ts';
import type { ScannedCode } from './lookup.ts';
import { withCampaign } from '../target-choice.ts';

/** The event of an opened link, such as one from a message. */
const clickEvent = 'qr_link';

/** Where a scan leads. */
export type ScanResult = 'target' | 'expired_url';

/** Creates the function that records a scan. It resolves once the event is on disk. */
export const createRecordScan =
  ({ recordLinkEvent, baseUrl }: Pick<QrParts, 'recordLinkEvent' | 'baseUrl'>) =>
  (
    request: LinkRequest,
    code: ScannedCode,
    { isScan, result }: { isScan: boolean; result: ScanResult },
  ): Promise<void> =>
    recordLinkEvent(request, {
      event: isScan ? scanEvent : clickEvent,
      url: withCampaign(`${baseUrl}/q/${code.code}`, code),
      site_id: code.site_id,
      tag: code.code,
      props: { result },
    });

export type RecordScan = ReturnType<typeof createRecordScan>;
