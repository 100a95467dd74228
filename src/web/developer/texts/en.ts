/** The texts that the scripts of the developer pages add. */
export const texts = {
  copyMarkdown: 'Copy as Markdown',
  search: {
    results: 'Search results',
    none: 'No results.',
    found: (p: { count: number }) =>
      p.count === 1 ? '1 result. Use the arrow keys.' : `${p.count} results. Use the arrow keys.`,
  },
  tryIt: {
    open: 'Try it',
    hint: 'Sends a real request to this server with your session.',
    parameter: (p: { name: string; place: string }) => `${p.name} (${p.place})`,
    body: (p: { type: string }) => `Request body (${p.type})`,
    send: (p: { method: string }) => `Send ${p.method}`,
    response: 'Response',
    failed: 'No response. Try again.',
    cut: (p: { shown: string; length: number }) => `${p.shown}\n… (${p.length} characters)`,
  },
};
