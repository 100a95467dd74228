import { cpSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Service } from './service.ts';

const workers = 8;
const tries = 5;
const admin = 'ada@example.com';

/** Settings that make `admin` an admin on any device, with the sign-in of development mode. */
export const consoleSettings = {
  NODE_ENV: 'development',
  DEVICE_BINDING: 'none',
  ADMIN_EMAILS: admin,
};

/**
 * Copies a data folder, so that a benchmark does not change the dataset. Returns the copy's path.
 */
export function copyData(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  return to;
}

async function signIn(base: string, email: string, left = tries): Promise<string> {
  const response = await fetch(`${base}/api/auth/dev/bypass/${encodeURIComponent(email)}`, {
    redirect: 'manual',
  });
  await response.arrayBuffer();
  // A busy machine can be too slow for so many sign-ins at once: the service then answers 503.
  if (response.status === 503 && left > 1)
    return delay(1000).then(() => signIn(base, email, left - 1));
  const [cookie] = response.headers.getSetCookie().map((each) => each.split(';', 1).join(''));
  if (cookie === undefined) throw new Error(`${email} was not signed in: ${response.status}`);
  return cookie;
}

/** Signs the admin in. Returns the session cookie as a request sends it. */
export const adminCookie = ({ base }: Service): Promise<string> => signIn(base, admin);

/** Creates users, each with a session and its entries in the audit log. */
export async function addPeople({ base }: Service, count: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let index = next; index < count; index = next) {
        next += 1;
        await signIn(base, `person-${index}@example.com`);
      }
    }),
  );
}

const createdSchema = z.object({ id: z.uuid() });

async function create({ base, adminKey }: Service, path: string, body: object): Promise<string> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return createdSchema.parse(await response.json()).id;
}

/** Creates three goals and a funnel of four steps. Returns the funnel's id. */
export async function addDefinitions(service: Service, site: string): Promise<string> {
  const base = `/analytics/sites/${site}`;
  const goals = [
    { name: 'Signed up', kind: 'event', value: 'signup' },
    { name: 'Bought', kind: 'event', value: 'purchase' },
    { name: 'Looked at prices', kind: 'page', value: '/pricing/*' },
  ];
  for (const goal of goals) await create(service, `${base}/goals`, goal);
  const steps = [
    { kind: 'page', value: '/blog/*' },
    { kind: 'page', value: '/pricing/*' },
    { kind: 'event', value: 'signup' },
    { kind: 'event', value: 'purchase' },
  ];
  return create(service, `${base}/funnels`, {
    name: 'From the blog to a purchase',
    within: 'visit',
    steps,
  });
}
