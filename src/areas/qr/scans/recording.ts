import type { LinkRequest, RecordLinkEvent } from '../../analytics/ingest/link-events.ts';
import type { ScannedCode } from './lookup.ts';
import { withCampaign } from './targets.ts';

/** The event of a scan, and that of an opened link, such as one from a message. */
export const scanEvent = 'qr_scan';
const clickEvent = 'qr_link';

/** Where a scan leads. */
export type ScanResult = 'target' | 'expired_url';

export interface RecordingOptions {
  recordLinkEvent: RecordLinkEvent;
  baseUrl: string;
}

/** Creates the function that records a scan. It resolves once the event is on disk. */
export const createRecording =
  ({ recordLinkEvent, baseUrl }: RecordingOptions) =>
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

export type Recording = ReturnType<typeof createRecording>;
