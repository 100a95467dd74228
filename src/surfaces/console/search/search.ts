import type { ApiKeyView } from '../../../areas/api-keys/schemas.ts';
import { isUuid } from '../../../lib/ids.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { ConsoleServices } from '../context.ts';
import { withQuery } from '../components/navigation.tsx';
import { nameOf, stateName, userPath } from '../people/labels.tsx';
import { hintOf } from '../people/users/users-page.tsx';
import type { Viewer } from '../viewer.ts';
import { sectionPath, sectionsFor } from '../sections.ts';
import { texts } from '../texts/en.ts';

/** A result: something that has a page. */
export interface SearchResult {
  name: string;
  /** Short description. */
  hint: string;
  href: string;
}

type Services = Pick<ConsoleServices, 'users' | 'devices' | 'apiKeys' | 'dashboards' | 'status'>;

const maxResults = 20;
/** Only the newest keys are searched; there are rarely more. */
const searchedKeys = 100;

function pages(text: string, { roles }: Viewer): SearchResult[] {
  return sectionsFor(roles)
    .filter(({ name, hint }) => `${name} ${hint}`.toLowerCase().includes(text.toLowerCase()))
    .map(({ name, hint, path }) => ({ name, hint, href: consolePath + path }));
}

async function people(
  { users }: Services,
  text: string,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const { data } = await users.list({ text, limit: maxResults }, signal);
  return data.map((user) => ({
    name: nameOf(user),
    hint: hintOf(user) || texts.search.user,
    href: userPath(user.id),
  }));
}

async function devices(
  { devices: { management } }: Services,
  text: string,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const byId = isUuid(text) ? await undefinedIfMissing(management.get(text, 'all')) : undefined;
  const found =
    byId === undefined
      ? (await management.list({ name: text, limit: maxResults }, signal)).data
      : [byId];
  return found.map(({ name, state, user_id: owner }) => ({
    name,
    hint: texts.search.device({ state: stateName(state).toLowerCase() }),
    href: `${userPath(owner)}#devices`,
  }));
}

async function keys(
  { apiKeys }: Services,
  text: string,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const { data } = await apiKeys.list({ limit: searchedKeys }, signal);
  const matches = ({ id, name }: ApiKeyView): boolean =>
    id === text || name.toLowerCase().includes(text.toLowerCase());
  return data.filter(matches).map(({ name, revoked_at: revoked }) => ({
    name,
    hint: revoked === null ? texts.search.key : texts.search.revokedKey,
    href: sectionPath('keys'),
  }));
}

async function sites(
  { dashboards }: Services,
  text: string,
  by: Requester,
): Promise<SearchResult[]> {
  return (await dashboards.sites(by))
    .filter(({ site_id: site }) => site.toLowerCase().includes(text.toLowerCase()))
    .map(({ site_id: site }) => ({
      name: site,
      hint: texts.search.site,
      href: withQuery(sectionPath('analytics'), { site_id: site }),
    }));
}

function incidents({ status }: Services, text: string): SearchResult[] {
  const { incidents: open, maintenances, history } = status.state();
  return [...open, ...maintenances, ...history]
    .filter(({ id, name }) => id === text || name.toLowerCase().includes(text.toLowerCase()))
    .map(({ id, name, status: state }) => ({
      name,
      hint: texts.search.incident({ status: state.replaceAll('_', ' ') }),
      href: `${sectionPath('status')}/incidents/${id}`,
    }));
}

/**
 * Searches the console; at most 20 results. Pages, sites and incidents match by any part of their
 * names; for admins also users and devices by the beginning of their names, and API keys.
 */
export async function search(
  services: Services,
  text: string,
  viewer: Viewer,
  by: Requester,
): Promise<SearchResult[]> {
  if (text === '') return [];
  const forAdmins = viewer.isAdmin
    ? await Promise.all([
        people(services, text, by.signal),
        devices(services, text, by.signal),
        keys(services, text, by.signal),
      ])
    : [];
  const forAll = [await sites(services, text, by), incidents(services, text)];
  return [pages(text, viewer), ...forAdmins, ...forAll].flat().slice(0, maxResults);
}
