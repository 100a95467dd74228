/** The demo's two sites on the status page. Their checks ask the service itself. */
export const siteComponents = [
  { id: 'shop', name: 'Online shop', group: 'Sites', description: 'Catalogue and search' },
  { id: 'checkout', name: 'Checkout', group: 'Sites', description: 'Cart, payment, confirmation' },
] as const;

/** What a site's component asks for at the service with the address `base`. */
export const targetOf = (base: string): string => `${base}/api/health/live`;
