import type { RecordLinkEvent } from '../../analytics/ingest/link-events.ts';
import type { RecordTap } from './routes.ts';

/** The event of a tap that counted. */
const tapEvent = 'nfc_tap';

export interface TapRecordingOptions {
  recordLinkEvent: RecordLinkEvent;
  baseUrl: string;
  /** The site of tags from before tags had one. */
  ownSite: string;
}

/** Creates the function that records a tap. It resolves once the event is on disk. */
export const createTapRecording =
  ({ recordLinkEvent, baseUrl, ownSite }: TapRecordingOptions): RecordTap =>
  (request, { code, siteId, result }) =>
    recordLinkEvent(request, {
      event: tapEvent,
      url: `${baseUrl}/n/${code}`,
      site_id: siteId ?? ownSite,
      tag: code,
      props: { result },
    });
