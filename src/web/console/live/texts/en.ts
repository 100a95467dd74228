/** The texts of what changes while a page is open. */
export const texts = {
  socket: {
    noResponse: 'The server didn’t respond. Check your connection, then try again.',
  },
  feed: {
    connected: 'Connected. New events appear here.',
    disconnected: 'Disconnected. Reconnecting…',
    pageview: 'Page view',
    skipped: (p: { count: number }) => `and ${p.count} more`,
    received: (p: { event: string; page: string }) => `Received just now: ${p.event} on ${p.page}`,
  },
};
