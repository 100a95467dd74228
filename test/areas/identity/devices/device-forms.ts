import { sql } from 'kysely';
import type { TestApp } from '../../../support/app.ts';
import type { TestResponse } from '../../../support/client.ts';
import type { CallOptions, DeviceBrowser } from '../../../support/devices.ts';
import { titleOf, unescaped } from '../../../surfaces/pages/support.ts';
import { type DeviceLab, openRequestOf } from './support.ts';

export const page = '/account/devices';
export const requests = '/account/devices/requests';
export const unknownId = '018f0000-0000-4000-8000-000000000009';
export const deviceForms = ['ask', 'restore', 'suspend', 'rename', 'remove', 'remove-others'];

export const to = (place: string) => ({ status: 303, place });
export const notAllowed = { status: 403, title: 'Error: You don’t have access' };
/** Where admins are led from the page of requests while their device is not cleared. */
export const led = `${page}?next=%2Faccount%2Fdevices%2Frequests`;

const shownIn = (response: TestResponse) => ({
  ...response,
  title: titleOf(response.text),
  place: response.headers.location,
  cookies: [response.headers['set-cookie'] ?? []].flat(),
});
type Shown = ReturnType<typeof shownIn>;

/** Opens a page, by default that of the devices. */
export const open = async (
  browser: DeviceBrowser,
  url = page,
  headers: Record<string, string> = {},
): Promise<Shown> => shownIn(await browser.call(url, { prove: false, headers }));

/** Submits a form, by default like a browser without JavaScript. */
export const submit = async (
  browser: DeviceBrowser,
  url: string,
  values: Record<string, string>,
  { prove = false, headers = {} }: CallOptions = {},
): Promise<Shown> =>
  shownIn(
    await browser.call(url, {
      method: 'POST',
      raw: new URLSearchParams(values).toString(),
      prove,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    }),
  );
export const ask = (browser: DeviceBrowser, values: Record<string, string> = {}) =>
  submit(browser, `${page}/ask`, { name: '', reason: '', ...values });
export const decide = (
  browser: DeviceBrowser,
  id: string,
  form: 'approve' | 'deny',
  values: Record<string, string> = {},
  options: CallOptions = {},
) => submit(browser, `${requests}/${id}/${form}`, { note: '', ...values }, options);

/** The text of a page, without markup. */
export const wordsOf = ({ text }: { text: string }): string =>
  unescaped(text.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
export const stateOn = ({ text }: Shown): string =>
  unescaped(/<p id="device-state"[^>]*>([^<]*)</.exec(text)?.[1] ?? '');
export const numberOn = ({ text }: Shown): string | undefined =>
  /<p class="number">(\d\d)<\/p>/.exec(text)?.[1];
export function factsOn({ text }: Shown): Record<string, string> {
  const [, attributes = ''] = /<div id="device"([^>]*)>/.exec(text) ?? [];
  const facts = [...attributes.matchAll(/data-([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(facts.map(([, name = '', value = '']) => [name, value]));
}
export const hasForm = ({ text }: Shown, form: string): boolean =>
  new RegExp(`<form [^>]*method="post" action="${page}/${form}"`).test(text);

export async function addFactor(
  { services, stores }: TestApp,
  { self: { userId } }: DeviceBrowser,
) {
  await services.secondFactor.enrolTotp(userId, 'x');
  await sql`update totp_factors set verified_at = now() where user_id = ${userId}::uuid`.execute(
    stores.db,
  );
}

/** People without a role, on devices that are not cleared. */
export function peopleOf(lab: DeviceLab) {
  const person = (...[who, options]: Parameters<typeof lab.signedIn>) =>
    lab.signedIn({ roles: [], ...who }, options);
  const openRequest = ({ self: { userId } }: DeviceBrowser) => openRequestOf(lab.app, userId);
  /** A person whose device waits for a decision. */
  async function waiting(
    values: Record<string, string> = {},
    options: Parameters<typeof lab.signedIn>[1] = {},
  ) {
    const browser = await person({}, options);
    await ask(browser, values);
    return { browser, ...(await openRequest(browser)) };
  }
  return { person, openRequest, waiting };
}
