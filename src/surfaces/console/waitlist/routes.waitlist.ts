import { z } from 'zod';
import { EntryView } from '../../../areas/waitlist/entries/schemas.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done } from '../schemas.ts';
import { approvePage } from './approve-page.tsx';
import { waitlistEntryPage } from './entry-page.tsx';
import { home, waitlistPage } from './waitlist-page.tsx';

const nextCount = 20;
const referredCount = 100;
const Params = z.object({ id: z.uuid().toLowerCase() });
const Query = z.object({ done });
const Next = z.object({ next: z.coerce.number().int().min(1).max(1000) });

const toEntry = ({ id }: z.output<typeof Params>): string => `${home}/${id}`;

/** The waitlist: figures, who is next, approvals, and the page of each person. */
export const waitlistRoutes = [
  page({
    id: 'console.waitlist',
    path: '/api/svc/console/waitlist',
    summary: 'Console: waitlist',
    description:
      'Figures of the waitlist, the next people in line, and a form to approve them. For ' +
      'admins on an approved device.',
    query: Query,
    async show({ waitlistApprovals }, query) {
      const [figures, next, batch] = await Promise.all([
        waitlistApprovals.figures(),
        waitlistApprovals.next(nextCount),
        waitlistApprovals.newestBatch(),
      ]);
      return waitlistPage({ figures, next, batch }, query.done);
    },
  }),
  page({
    id: 'console.confirm_waitlist',
    path: '/api/svc/console/waitlist/approve',
    summary: 'Console: invite the next people in line',
    query: z.object({ next: Next.shape.next.default(50) }),
    show: async ({ waitlistApprovals }, { next }) =>
      approvePage(await waitlistApprovals.preview(next)),
  }),
  page({
    id: 'console.waitlist_entry',
    path: '/api/svc/console/waitlist/:id',
    summary: 'Console: a person on the waitlist',
    params: Params,
    query: Query,
    errors: ['waitlist.entry_not_found'],
    async show({ waitlistEntries: { service } }, { id, done: doneKey }) {
      const entry = EntryView.parse(await service.get(id));
      const filter = { limit: referredCount, sort: '-created_at', referred_by: id };
      const referred = z.array(EntryView).parse((await service.list(filter)).data);
      return waitlistEntryPage({ entry, referred }, doneKey);
    },
  }),
  form({
    id: 'console.approve_waitlist',
    path: '/api/svc/console/waitlist/approve',
    summary: 'Form: approve the next people in line',
    body: Next,
    run: ({ waitlistApprovals }, body, { by }) => waitlistApprovals.approveMany(body, by),
    to: home,
    done: 'approved',
  }),
  form({
    id: 'console.approve_waitlist_entry',
    path: '/api/svc/console/waitlist/:id/approve',
    summary: 'Form: approve a person',
    params: Params,
    run: ({ waitlistApprovals }, { id }, { by }) => waitlistApprovals.approve(id, by),
    to: toEntry,
    done: 'approved',
  }),
  form({
    id: 'console.deny_waitlist_entry',
    path: '/api/svc/console/waitlist/:id/deny',
    summary: 'Form: deny a person',
    params: Params,
    run: ({ waitlistApprovals }, { id }, { by }) => waitlistApprovals.deny([id], by),
    to: toEntry,
    done: 'denied',
  }),
];
