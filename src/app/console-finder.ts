import type { ApiKeyView } from '../areas/api-keys/schemas.ts';
import { withQuery } from '../surfaces/console/parts.ts';
import { nameOf, stateName, userPlace } from '../surfaces/console/people/people-words.ts';
import type { FinderSource } from '../surfaces/console/routes.search.ts';
import type { Found } from '../surfaces/console/search-page.ts';
import { placeOf } from '../surfaces/console/sections.ts';
import { hintOf } from '../surfaces/console/people/users-page.ts';
import { undefinedIfMissing } from '../platform/errors/errors.ts';
import type { Services } from './services.ts';
import { isUuid } from '../lib/ids.ts';

const fewKeys = 100;

/** Where a search looks. Texts are found by how they begin, incidents and sites by any part of their name. */
export function createFinder({
  users,
  devices,
  apiKeys,
  dashboards,
  status,
}: Services): FinderSource {
  async function people(text: string, most: number, signal: AbortSignal): Promise<Found[]> {
    const { data } = await users.list({ text, limit: most }, signal);
    return data.map((user) => ({
      name: nameOf(user),
      hint: hintOf(user) || 'user',
      href: userPlace(user.id),
    }));
  }

  async function machines(text: string, most: number, signal: AbortSignal): Promise<Found[]> {
    const one = isUuid(text)
      ? await undefinedIfMissing(devices.management.get(text, 'all'))
      : undefined;
    const found =
      one === undefined
        ? (await devices.management.list({ name: text, limit: most }, signal)).data
        : [one];
    return found.map(({ name, state, user_id: owner }) => ({
      name,
      hint: `device, ${stateName(state)}`,
      href: `${userPlace(owner)}#devices`,
    }));
  }

  /** Keys are few, and the newest matter. */
  async function keys(text: string, signal: AbortSignal): Promise<Found[]> {
    const { data } = await apiKeys.list({ limit: fewKeys }, signal);
    const fits = ({ id, name }: ApiKeyView): boolean =>
      id === text || name.toLowerCase().includes(text.toLowerCase());
    return data.filter(fits).map(({ name, revoked_at: revoked }) => ({
      name,
      hint: revoked === null ? 'API key' : 'API key, revoked',
      href: placeOf('keys'),
    }));
  }

  return {
    async people(text, most, { signal }) {
      return (
        await Promise.all([
          people(text, most, signal),
          machines(text, most, signal),
          keys(text, signal),
        ])
      ).flat();
    },

    async figures(text, most, by) {
      const words = text.toLowerCase();
      const { incidents, maintenances, history } = status.state();
      const sites = (await dashboards.sites(by)).filter(({ site_id: site }) =>
        site.toLowerCase().includes(words),
      );
      const events = [...incidents, ...maintenances, ...history].filter(
        ({ id, name }) => id === text || name.toLowerCase().includes(words),
      );
      return [
        ...sites.map(({ site_id: site }) => ({
          name: site,
          hint: 'site',
          href: withQuery(placeOf('analytics'), { site_id: site }),
        })),
        ...events.map(({ id, name, status: is }) => ({
          name,
          hint: `incident, ${is.replaceAll('_', ' ')}`,
          href: `${placeOf('status')}/incidents/${id}`,
        })),
      ].slice(0, most);
    },
  };
}
