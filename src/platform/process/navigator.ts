// Node has `navigator` since version 21. Without it, pg makes a Response to learn whether it runs
// on Cloudflare, and that loads all of fetch: a thirtieth of the start.
if (!('navigator' in globalThis))
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: `Node.js/${process.versions.node.split('.', 1).join('')}` },
    configurable: true,
  });
