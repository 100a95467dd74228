import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Ingest } from '../../analytics/ingest/ingest.ts';
import type { RequestContext } from '../../analytics/ingest/request-context.ts';
import type { ScannedCode } from './lookup.ts';
import { withCampaign } from './targets.ts';

/** The event of a scan, and that of an opened link, such as one from a message. */
export const scanEvent = 'qr_scan';
export const clickEvent = 'qr_link';

/** How a scan ended. */
export type ScanResult = 'target' | 'expired_url';

export interface RecordingOptions {
  ingest: Pick<Ingest, 'track' | 'countRejected' | 'now'>;
  baseUrl: string;
  logger: Logger;
}

function contextOf(request: FastifyRequest, receivedAt: number): RequestContext {
  const { headers, ip } = request;
  return {
    receivedAt,
    ip,
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'],
    optOut: { gpc: headers['sec-gpc'] === '1', dnt: headers.dnt === '1' },
    clockSkewMs: 0,
    // Whoever scans, also an admin: the limits of unknown senders apply.
    isTrusted: false,
  };
}

/**
 * Creates the function that records a scan as an event of the code's site. It resolves once the
 * event is on disk. A scan that can't be recorded, because the store is full or the address has
 * used up its budget, is counted as dropped, and still gets to its target.
 */
export function createRecording({ ingest, baseUrl, logger }: RecordingOptions) {
  return async (
    request: FastifyRequest,
    code: ScannedCode,
    { isScan, result }: { isScan: boolean; result: ScanResult },
  ): Promise<void> => {
    const event = {
      event: isScan ? scanEvent : clickEvent,
      url: withCampaign(`${baseUrl}/q/${code.code}`, code),
      site_id: code.site_id,
      referrer: request.headers.referer,
      tag: code.code,
      props: { result },
    };
    try {
      await ingest.track(event, contextOf(request, ingest.now()));
    } catch (err) {
      ingest.countRejected(code.site_id, 'unavailable');
      logger.debug({ err }, 'a scan was not recorded');
    }
  };
}

export type Recording = ReturnType<typeof createRecording>;
