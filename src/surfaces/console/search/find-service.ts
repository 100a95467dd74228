import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';
import { incidentPath, statusName } from '../status/labels.tsx';
import type { Found, FoundGroup, Search } from './search.ts';
import { texts } from './texts/en.ts';

const { groups, hints } = texts;

async function sites({ services, text, limit, by }: Search): Promise<Found[]> {
  return (await services.dashboards.sites(by))
    .filter(({ site_id: site }) => site.toLowerCase().includes(text.toLowerCase()))
    .slice(0, limit)
    .map(({ site_id: site }) => ({
      name: site,
      hint: hints.site,
      href: withQuery(sectionPath('analytics'), { site_id: site }),
    }));
}

/** Incidents and maintenance by their names and what was posted on them, and components. */
function status({ services, text, limit }: Search): Found[] {
  const { incidents, maintenances, history, components } = services.status.state();
  const part = text.toLowerCase();
  const has = (own: string): boolean => own.toLowerCase().includes(part);
  return [
    ...[...incidents, ...maintenances, ...history]
      .filter(
        ({ id, name, updates }) =>
          id === text || has(name) || updates.some(({ body }) => has(body)),
      )
      .map(({ id, kind, name, status: step }) => ({
        name,
        hint: hints[kind]({ status: statusName(step) }),
        href: incidentPath(id),
      })),
    ...components
      .filter(({ name }) => has(name))
      .map(({ id, name }) => ({
        name,
        hint: hints.component,
        href: `${sectionPath('status')}/components/${id}`,
      })),
  ].slice(0, limit);
}

/** Sections of guides whose headings have every word: other matches are for their own search. */
function guides({ services, text, limit }: Search): Found[] {
  const words = text.toLowerCase().split(/\s+/);
  return services.library
    .search(text, 4 * limit)
    .filter(({ title, heading }) => {
      const own = `${title} ${heading?.text ?? ''}`.toLowerCase();
      return words.every((word) => own.includes(word));
    })
    .slice(0, limit)
    .map(({ slug, title, heading }) => ({
      name: heading?.text ?? title,
      hint: heading === undefined ? '' : title,
      href: `/developer/guides/${slug}${heading === undefined ? '' : `#${heading.id}`}`,
    }));
}

/** Sites, the status page and the guides. For everybody with a role. */
export async function findService(made: Search): Promise<FoundGroup[]> {
  return [
    { title: groups.sites, icon: 'globe', found: await sites(made) },
    { title: groups.status, icon: 'status', found: status(made) },
    { title: groups.guides, icon: 'book', found: guides(made) },
  ];
}
