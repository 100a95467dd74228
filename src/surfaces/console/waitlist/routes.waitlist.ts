import { z } from 'zod';
import { waitlistEntries } from '../../../areas/waitlist/entries/resource.ts';
import { type ApproveBody, EntryView } from '../../../areas/waitlist/entries/schemas.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import { readMailsTo } from '../people/users/sent-messages.ts';
import { invalidForm, listOf } from '../forms.ts';
import { resourcePath } from '../resources/resource-paths.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done } from '../schemas.ts';
import { approvePage } from './approve-page.tsx';
import { waitlistEntryPage } from './entry-page.tsx';
import { texts } from './texts/en.ts';
import { home, waitlistPage } from './waitlist-page.tsx';

const nextCount = 20;
const referredCount = 100;
const growthDays = 90;
const Params = z.object({ id: z.uuid().toLowerCase() });
const Query = z.object({ done });
const ids = z.union([z.uuid(), z.array(z.uuid()).max(1000)]).transform((one) => [one].flat());
const count = z.coerce.number().int().min(1).max(1000).optional();

/** The people who are chosen, else how many of the next. Throws `console.form_invalid`. */
function toApprove(next: number | undefined, chosen: readonly string[] = []): ApproveBody {
  if (chosen.length > 0) return { ids: [...chosen] };
  if (next === undefined) throw invalidForm(texts.list.chooseFirst);
  return { next };
}

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
      const [figures, growth, next, batch, { leftOut }] = await Promise.all([
        waitlistApprovals.figures(),
        waitlistApprovals.growth(growthDays),
        waitlistApprovals.next(nextCount),
        waitlistApprovals.newestBatch(),
        waitlistApprovals.preview({ next: 1 }),
      ]);
      return waitlistPage({ figures, growth, next, batch, leftOut }, query.done);
    },
  }),
  page({
    id: 'console.confirm_waitlist',
    path: '/api/svc/console/waitlist/approve',
    summary: 'Console: invite people on the waitlist',
    // As the checkboxes of a list are named.
    query: z.object({ next: count, 'person[]': ids.optional() }),
    errors: ['console.form_invalid'],
    async show({ waitlistApprovals, brand }, { next, 'person[]': chosen }) {
      const body = toApprove(next, chosen);
      const preview = await waitlistApprovals.preview(body);
      return approvePage({ ...preview, body, app: brand().name });
    },
  }),
  page({
    id: 'console.waitlist_entry',
    path: '/api/svc/console/waitlist/:id',
    summary: 'Console: a person on the waitlist',
    params: Params,
    query: Query,
    errors: ['waitlist.entry_not_found'],
    async show(context, { id, done: doneKey }, { signal }) {
      const { service } = context.waitlistEntries;
      const entry = EntryView.parse(await service.get(id));
      const filter = { limit: referredCount, sort: '-created_at', referred_by: id };
      const [referred, place, mails, referrer] = await Promise.all([
        service.list(filter),
        context.waitlistApprovals.placeOf(id),
        readMailsTo(context, entry.email, signal),
        entry.referred_by === null ? undefined : undefinedIfMissing(service.get(entry.referred_by)),
      ]);
      const view = {
        entry,
        referred: z.array(EntryView).parse(referred.data),
        referrer: referrer && EntryView.parse(referrer),
        place,
        mails,
        link: `${context.baseUrl}/waitlist?ref=${entry.referral_code}`,
      };
      return waitlistEntryPage(view, doneKey);
    },
  }),
  form({
    id: 'console.approve_waitlist',
    path: '/api/svc/console/waitlist/approve',
    summary: 'Form: approve people on the waitlist',
    body: z.object({ next: count, person: z.array(z.uuid()).max(1000).optional() }),
    run: ({ waitlistApprovals }, { next, person }, { by }) =>
      waitlistApprovals.approveMany(toApprove(next, person), by),
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
    id: 'console.deny_waitlist',
    path: '/api/svc/console/waitlist/deny',
    summary: 'Form: deny people on the waitlist',
    body: z.object({
      person: z.array(z.uuid().toLowerCase()).min(1, texts.list.chooseFirst).max(1000),
    }),
    read: (values) => ({ person: listOf(values, 'person[]') }),
    run: ({ waitlistApprovals }, { person }, { by }) => waitlistApprovals.deny(person, by),
    to: resourcePath(waitlistEntries),
    done: 'denied',
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
