import type { MessageEvents } from '../../messages/events.ts';

type ShowNotice = (text: string, isError?: boolean) => void;

export interface LiveOptions {
  /** Those that the page names. */
  channels: string[];
  onMessage: (message: MessageEvents['message']) => void;
  showNotice: ShowNotice;
}

const has = (selector: string): boolean => document.querySelector(selector) !== null;

/** Connects a page that names channels, or inspects them, and loads what shows their messages. */
export async function startLive({ channels, onMessage, showNotice }: LiveOptions): Promise<void> {
  const isInspector = has('#inspector');
  if (channels.length === 0 && !isInspector) return;
  // All before the socket, so that nothing misses how the connection begins.
  const [{ createLiveSocket }, feed, inspector] = await Promise.all([
    import('./live-socket.ts'),
    has('[data-feed], [data-await]') ? import('./event-feed.ts') : undefined,
    isInspector ? import('../inspector/inspector.ts') : undefined,
  ]);
  const live = createLiveSocket(channels);
  live.onMessage(onMessage);
  feed?.feedEvents(live);
  inspector?.startInspector(live, showNotice);
}
