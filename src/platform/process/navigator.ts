// Node has `navigator` since version 21. Without it, pg makes a Response to find out whether it is
// on Cloudflare, and that loads the whole of fetch: a thirtieth of the start.
if (!('navigator' in globalThis))
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: `Node.js/${process.versions.node.split('.', 1).join('')}` },
    configurable: true,
  });
