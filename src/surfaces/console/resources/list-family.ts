import { signupResource } from '../../../areas/signup/resource.ts';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import type { Html } from '../../../lib/text/html.ts';
import type { Resource } from '../../../platform/resource/resource.ts';
import type { ConsoleServices } from '../context.ts';
import { peopleTabs, readPeopleCounts } from '../people/people-tabs.tsx';
import { texts as peopleTexts } from '../people/texts/en.ts';
import { texts as waitlistTexts } from '../waitlist/texts/en.ts';
import { confirmedFilter } from '../people/sign-ups/confirmed-filter.ts';
import { statusFilter, waitlistBulk } from '../waitlist/entry-list.tsx';
import { waitlistTabs } from '../waitlist/waitlist-tabs.tsx';

/** The values of the filter that is used most, one click away. */
export interface QuickFilter {
  /** The filter: `status`. */
  member: string;
  label: string;
  all: string;
  options: readonly (readonly [value: string, text: string])[];
}

/** What can be done with several entries at once. */
export interface ListBulk {
  /** The field of the checkboxes: `person[]`. */
  name: string;
  /** Where they are sent, unless a button has a `formaction`. */
  action: string;
  buttons: Html;
}

/** Pages of one subject, of which a list is one, and what only this list has. */
export interface ListFamily {
  /** The title of all of them. */
  title: string;
  /** Leads from each to the others. */
  tabs: Html;
  quick?: QuickFilter;
  bulk?: ListBulk;
  /** What the list says after its forms, by key, besides what all lists say. */
  notices?: Readonly<Record<string, string>>;
}

/** The pages that a list belongs to. Undefined for a list that stands alone. */
export async function familyOf(
  services: Pick<ConsoleServices, 'users' | 'invitations' | 'signups' | 'waitlistApprovals'>,
  { name }: Resource,
  signal: AbortSignal,
): Promise<ListFamily | undefined> {
  if (name === signupResource.name)
    return {
      title: peopleTexts.users.title,
      tabs: peopleTabs('signUps', await readPeopleCounts(services, signal)),
      quick: confirmedFilter,
    };
  if (name === waitlistEntries.name) {
    const figures = await services.waitlistApprovals.figures();
    return {
      title: waitlistTexts.title,
      tabs: waitlistTabs('entries', figures),
      quick: statusFilter(figures),
      bulk: waitlistBulk,
      notices: { denied: waitlistTexts.notices.denied },
    };
  }
  return undefined;
}
