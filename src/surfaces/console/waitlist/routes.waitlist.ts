import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { EntryView } from '../../../areas/waitlist/schemas.entries.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { FormValues, parseForm, textOf } from '../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, innerPage, page } from '../route-options.ts';
import { done } from '../schemas.ts';
import { waitlistEntryPage } from './entry-page.tsx';
import { home, waitlistPage } from './waitlist-page.tsx';

const nextCount = 20;
const referredCount = 100;
const Params = z.object({ id: z.uuid().toLowerCase() });
const Query = z.object({ done });
const Next = z.object({ next: z.coerce.number().int().min(1).max(1000) });

function pageRoutes(
  app: ConsoleScope,
  { services: { waitlistApprovals, waitlistEntries }, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/waitlist',
    page('console.waitlist', 'Console: waitlist', {
      description:
        'Figures of the waitlist, the people who are next, and a form to approve them. For ' +
        'admins on an approved device.',
      querystring: Query,
    }),
    async ({ query }, reply) => {
      const [figures, next, batch] = await Promise.all([
        waitlistApprovals.figures(),
        waitlistApprovals.next(nextCount),
        waitlistApprovals.newestBatch(),
      ]);
      return send(reply, waitlistPage({ figures, next, batch }, query.done));
    },
  );

  app.get(
    '/api/svc/console/waitlist/:id',
    innerPage('console.waitlist_entry', 'Console: a person on the waitlist', {
      params: Params,
      querystring: Query,
      errors: ['waitlist.entry_not_found'],
    }),
    async ({ params: { id }, query }, reply) => {
      const { service } = waitlistEntries;
      const entry = EntryView.parse(await service.get(id));
      const { data } = await service.list({
        limit: referredCount,
        sort: '-created_at',
        referred_by: id,
      });
      const referred = z.array(EntryView).parse(data);
      return send(reply, waitlistEntryPage({ entry, referred }, query.done));
    },
  );
}

function formRoutes(
  app: ConsoleScope,
  { services: { waitlistApprovals } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/waitlist/approve',
    form('console.approve_waitlist', 'Form: approve the people who are next', {
      body: FormValues,
    }),
    async (request, reply) => {
      const body = parseForm(Next, { next: textOf(request.body, 'next') });
      await waitlistApprovals.approveMany(body, requestActor(request));
      return redirectTo(reply, home, { done: 'approved' });
    },
  );

  app.post(
    '/api/svc/console/waitlist/:id/approve',
    form('console.approve_waitlist_entry', 'Form: approve a person', { params: Params }),
    async (request, reply) => {
      const { id } = request.params;
      await waitlistApprovals.approve(id, requestActor(request));
      return redirectTo(reply, `${home}/${id}`, { done: 'approved' });
    },
  );

  app.post(
    '/api/svc/console/waitlist/:id/deny',
    form('console.deny_waitlist_entry', 'Form: deny a person', { params: Params }),
    async (request, reply) => {
      const { id } = request.params;
      await waitlistApprovals.deny([id], requestActor(request));
      return redirectTo(reply, `${home}/${id}`, { done: 'denied' });
    },
  );
}

/** The waitlist: figures, who is next, approvals, and the page of each person. */
export const waitlistConsoleRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  pageRoutes(app, options);
  formRoutes(app, options);
};
