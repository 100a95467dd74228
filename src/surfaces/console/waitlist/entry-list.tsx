import type { FiguresView } from '../../../areas/waitlist/entries/schemas.ts';
import { entryStatuses } from '../../../areas/waitlist/tables.ts';
import { texts as areaTexts } from '../../../areas/waitlist/texts/en.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import type { ListBulk, QuickFilter } from '../resources/list-family.ts';
import { texts } from './texts/en.ts';
import { home } from './waitlist-page.tsx';

const words = texts.list;

/** The statuses of entries, with how many there are of each. */
export const statusFilter = ({ entries }: Pick<FiguresView, 'entries'>): QuickFilter => ({
  member: 'status',
  label: areaTexts.entries.fields.status,
  all: words.all,
  options: entryStatuses.map((status) => [
    status,
    words.chip({
      status: areaTexts.entries.values.status[status],
      count: formatNumber(entries[status]),
    }),
  ]),
});

/** Invites people after a page that says whom, or denies them. */
export const waitlistBulk: ListBulk = {
  name: 'person[]',
  action: `${home}/approve`,
  buttons: (
    <>
      <Button label={words.invite} size="small" icon="mail" attributes={{ formmethod: 'get' }} />
      <Button label={words.deny} size="small" attributes={{ formaction: `${home}/deny` }} />
    </>
  ),
};
