import { signupResource } from '../../../areas/signup/resource.ts';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import type { Html } from '../../../lib/text/html.ts';
import type { Resource } from '../../../platform/resource/resource.ts';
import type { ConsoleServices } from '../context.ts';
import { peopleTabs, readPeopleCounts } from '../people/people-tabs.tsx';
import { texts as peopleTexts } from '../people/texts/en.ts';
import { texts as waitlistTexts } from '../waitlist/texts/en.ts';
import { waitlistTabs } from '../waitlist/waitlist-tabs.tsx';

/** Pages of one subject, of which a list is one. */
export interface ListFamily {
  /** The title of all of them. */
  title: string;
  /** Leads from each to the others. */
  tabs: Html;
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
    };
  if (name === waitlistEntries.name)
    return {
      title: waitlistTexts.title,
      tabs: waitlistTabs('entries', await services.waitlistApprovals.figures()),
    };
  return undefined;
}
