/**
 * A method and a path that the service promises to answer; `:name` stands for any value. The path
 * with a slash at the end is answered too.
 */
export type PromisedRoute = readonly [method: Method, path: string];
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

const seven: readonly Method[] = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'];
const each = (methods: readonly Method[], ...paths: string[]): PromisedRoute[] =>
  paths.flatMap((path) => methods.map((method): PromisedRoute => [method, path]));
const get = (...paths: string[]): PromisedRoute[] => each(['GET'], ...paths);
const post = (...paths: string[]): PromisedRoute[] => each(['POST'], ...paths);

const oneTimePasswords: PromisedRoute[] = ['/api/auth', '/auth'].flatMap((prefix) => [
  ...get(`${prefix}/cmyk`, `${prefix}/cmyk/idp/callback`, `${prefix}/2fa/status`),
  ...post(
    `${prefix}/cmyk/idp/initiate`,
    `${prefix}/cmyk/phone`,
    `${prefix}/cmyk/verify`,
    `${prefix}/cmyk/phone-only`,
    `${prefix}/mobile/initiate`,
    `${prefix}/mobile/verify`,
    `${prefix}/mobile/resend`,
    `${prefix}/email/initiate`,
    `${prefix}/backup-codes`,
    `${prefix}/backup-codes/verify`,
    `${prefix}/otp/send`,
    `${prefix}/otp/verify`,
    `${prefix}/otp/resend`,
  ),
]);

const sessions: PromisedRoute[] = ['/api/auth', '/auth'].flatMap((prefix) => [
  // `dev/bypass/{email}` is not here: outside development it must look like a missing path (tested
  // with the identity provider).
  ...get(
    `${prefix}/status`,
    `${prefix}/idp/start`,
    `${prefix}/idp/callback`,
    `${prefix}/me`,
    `${prefix}/sessions`,
  ),
  ...post(`${prefix}/logout`, `${prefix}/token/refresh`, `${prefix}/webhooks/payments`),
  ...each(['DELETE'], `${prefix}/sessions`),
]);

const devices: PromisedRoute[] = ['/api/auth/blackops', '/auth/blackops'].flatMap((prefix) => [
  ...post(`${prefix}/status`, `${prefix}/request-clearance`),
  ...each(['GET', 'DELETE'], `${prefix}/devices`),
  ...get(`${prefix}/dashboard`),
  ...each(seven, `${prefix}/analytics`),
]);

const ownAccount: PromisedRoute[] = [
  ...each(['GET', 'PATCH'], '/api/v1/users/me'),
  ...each(['PUT', 'DELETE'], '/api/v1/users/me/avatar'),
  ...each(['POST', 'DELETE'], '/api/v1/users/me/deletion'),
  ...each(['GET', 'POST'], '/api/v1/users/me/export'),
  ...get('/api/v1/users/me/export/file'),
  ...post(
    '/api/v1/users/me/email',
    '/api/v1/users/me/email/confirm',
    '/api/v1/users/me/phone',
    '/api/v1/users/me/phone/confirm',
  ),
];

/** Routes that are answered today. */
export const answered: readonly PromisedRoute[] = [
  ...ownAccount,
  ...get(
    '/api/health',
    '/api/health/ready',
    '/api/health/live',
    '/api/health/queue',
    '/api/health/websocket',
    '/api/status',
    '/status',
  ),
  ...get('/geoip-test', '/realtime/test-public'),
  ...get('/api', '/api/v1', '/api/v1/web', '/api/v1/web/pages', '/api/v1/web/sitemap'),
  ...get('/developer/guides', '/developer/guides.md'),
  ...each(
    seven,
    '/cmyk/api',
    '/workflows/api/v1/auth/dev-access',
    '/workflows/api/v1/auth/dev-mode',
    '/workflows/api/v1/auth/dev-status',
  ),
  ...each(['GET', 'PUT', 'POST', 'DELETE', 'PATCH'], '/min/core/zipcodedeliverability'),
  ...each(['GET', 'PUT', 'POST'], '/realtime/test'),
  ...get('/analytics/pixel.gif', '/analytics/dashboard'),
  ...post('/analytics/batch', '/analytics/track', '/analytics/export/events'),
  ...get(
    '/api/docs',
    '/login',
    '/signin',
    '/svc.min.js',
    '/global-message-handler.js',
    '/ws/svc',
    '/ws/analytics',
    '/ws/status',
  ),
  ...get(
    '/',
    '/privacy',
    '/terms',
    '/data-policy',
    '/install',
    '/docs',
    '/pricing',
    '/cmyk',
    '/cmyk/docs',
  ),
  ...each(['GET', 'OPTIONS', 'HEAD'], '/web/sitemap.xml'),
  ...each(['GET', 'POST'], '/signup', '/demo/deliverability'),
  // A guide that does not exist is 404, with suggestions.
  ...get('/developer', '/developer/reference', '/developer/guides/sign-in'),
  ...get('/api/graphql', '/api/graphql/voyager', '/api/svc/console'),
  ...post('/api/graphql'),
  ...sessions,
  ...oneTimePasswords,
  ...devices,
  ...post('/api/cmyk/auth/otp/send', '/api/cmyk/auth/otp/verify'),
  ...post('/api/v2/mcp'),
];

/** Routes still to come. Each moves to `answered` once it exists; this list must end up empty. */
export const later: readonly PromisedRoute[] = [];
