/** The demo's two sites on the status page. Their checks request the service itself. */
export const siteComponents = [
  { id: 'shop', name: 'Online shop', group: 'Sites', description: 'Catalogue and search' },
  { id: 'checkout', name: 'Checkout', group: 'Sites', description: 'Cart, payment, confirmation' },
] as const;

/** The URL that a site's check requests; `base` is the service's address. */
export const targetOf = (base: string): string => `${base}/api/health/live`;
