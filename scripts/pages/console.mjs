import { randomBytes } from 'node:crypto';

const home = '/api/svc/console/';
const site = 'shop.example';
const admin = 'ada@example.com';
const adminKey = randomBytes(32).toString('hex');
const [people, hourMs] = [40, 3_600_000];

/**
 * Settings of the service that let this program sign in as an admin, with the sign-in of
 * development mode.
 */
export const consoleSettings = {
  NODE_ENV: 'development',
  DEVICE_BINDING: 'none',
  ADMIN_EMAILS: admin,
  ADMIN_API_KEY: adminKey,
};

export const consoleGoal = { score: 95, bytes: 60 * 1024, size: 'packed' };
/** Why there is no SEO score. */
export const noSearch =
  'The pages of the console are `noindex` on purpose, and require a session: ' +
  'the category SEO is left out.';

async function ask(origin, path, { body, cookie } = {}) {
  const headers = {
    authorization: `Bearer ${adminKey}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(cookie === undefined ? {} : { cookie }),
  };
  const answer = await fetch(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body: body && JSON.stringify(body),
  });
  if (!answer.ok)
    throw new Error(
      `${path} was answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`,
    );
  return answer.json();
}

/** Signs a user in. Returns the id and the session's cookie. */
async function signIn(origin, email) {
  const answer = await fetch(`${origin}/api/auth/dev/bypass/${encodeURIComponent(email)}`);
  const [cookie] = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  if (cookie === undefined) throw new Error(`${email} was not signed in: ${answer.status}`);
  return { id: (await answer.json()).user.id, cookie };
}

/** Returns a few days of events of a small shop; the last ones are some minutes old. */
function shopEvents(now) {
  const [countries, pages] = [
    ['DE', 'DE', 'US', 'FR'],
    ['/', '/pricing', '/signup', '/docs'],
  ];
  return Array.from({ length: 400 }, (_, at) => ({
    site_id: site,
    url: `https://${site}${pages[(at * 7) % pages.length]}`,
    timestamp: new Date(
      now - 60_000 - (at % 60) * 2 * hourMs - Math.floor(at / 60) * 60_000,
    ).toISOString(),
    visitor_id: (at % 37).toString(16).padStart(16, '0'),
    country: countries[at % 4],
    browser: at % 3 === 0 ? 'Firefox' : 'Chrome',
    os: 'Linux',
    device: 'desktop',
    language: 'de',
    ...(at % 5 === 0 ? { user_id: `user-${at % 20}` } : {}),
    ...(at % 9 === 0 ? { referrer: 'https://news.ycombinator.com/' } : {}),
    ...(at % 12 === 2
      ? {
          event: 'signup',
          revenue: { amount: '19.00', currency: 'EUR' },
          props: { plan: at % 24 === 2 ? 'pro' : 'free' },
        }
      : { event: 'pageview' }),
  }));
}

/**
 * Creates data for the pages: events, a goal and a funnel, users, an incident. Returns the admin's
 * id and cookie, and the incident's id.
 */
async function fill(origin) {
  const { accepted } = await ask(origin, '/analytics/batch/', {
    body: { events: shopEvents(Date.now()) },
  });
  if (accepted !== 400) throw new Error(`${accepted} of 400 events were accepted`);
  const step = { kind: 'event', value: 'signup' };
  await ask(origin, `/analytics/sites/${site}/goals`, { body: { name: 'Signed up', ...step } });
  await ask(origin, `/analytics/sites/${site}/funnels`, {
    body: {
      name: 'From prices',
      within: 'visit',
      steps: [{ kind: 'page', value: '/pricing' }, step],
    },
  });
  for (let person = 0; person < people; person += 1)
    await signIn(origin, `person-${person}@example.com`);
  const affected = {
    name: 'Slow figures',
    body: 'We are looking into slow figures.',
    components: [{ id: 'analytics', status: 'degraded_performance' }],
  };
  return {
    incident: (await ask(origin, '/api/v1/status/incidents', { body: affected })).id,
    ...(await signIn(origin, admin)),
  };
}

/** Fills the service with data. Returns every page of the console, and the session's cookie. */
export async function consolePages(origin) {
  const { incident, id, cookie } = await fill(origin);
  const names = [
    '',
    'analytics',
    'analytics/realtime',
    'analytics/goals',
    'analytics/retention',
    'analytics/site',
    'users',
    `users/${id}`,
    'devices',
    'status',
    'status/incidents',
    `status/incidents/${incident}`,
    'status/components/analytics',
    'status/subscribers',
    'jobs',
    'keys',
    'keys/webhook',
    'realtime',
    'audit',
    'settings',
    'search',
  ];
  return { cookie, pages: names.map((name) => ({ path: home + name })) };
}
