import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { resourceLimits } from '../../platform/resource/resource-limits.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import type { Approvals } from './approvals.ts';
import { tags } from './routes.options.ts';
import {
  ApproveBody,
  BatchView,
  DeniedView,
  DenyBody,
  EntryParams,
  EntryView,
  FiguresView,
  RebuiltView,
} from './schemas.entries.ts';

export interface EntryRoutesOptions {
  waitlistApprovals: Approvals;
  waitlistEntries: BoundResource;
}

const mailErrors = ['waitlist.email_not_configured'];

function batchRoutes(app: ZodApp, { waitlistApprovals }: EntryRoutesOptions): void {
  app.post(
    '/api/v2/waitlist/entries/approve',
    {
      config: resourceLimits.write,
      schema: {
        operationId: 'waitlistEntries.approve_many',
        summary: 'Approve several people',
        description:
          'Approves the people who are next, or those with the given ids, at most 1,000. Two ' +
          'calls at once never approve the same person. A job sends the invitations; ' +
          '`waitlistEntries.get_batch` shows its progress. Ids that can’t be approved are ' +
          'skipped, and people with disposable mailboxes are left out.',
        tags,
        body: ApproveBody,
        errors: mailErrors,
        response: { 200: BatchView },
      },
    },
    (request) => waitlistApprovals.approveMany(request.body, requestActor(request)),
  );

  app.get(
    '/api/v2/waitlist/batches/:id',
    {
      config: resourceLimits.read,
      schema: {
        operationId: 'waitlistEntries.get_batch',
        summary: 'Get a batch of approvals',
        description: 'How many people were approved together, and how many are invited so far.',
        tags,
        params: EntryParams,
        errors: ['waitlist.batch_not_found'],
        response: { 200: BatchView },
      },
    },
    (request) => waitlistApprovals.batch(request.params.id),
  );
}

function approveRoute(
  app: ZodApp,
  { waitlistApprovals, waitlistEntries: { service } }: EntryRoutesOptions,
): void {
  app.post(
    '/api/v2/waitlist/entries/:id/approve',
    {
      config: resourceLimits.write,
      schema: {
        operationId: 'waitlistEntries.approve',
        summary: 'Approve a person',
        description: 'Sends the invitation. Approving a person again has no effect.',
        tags,
        params: EntryParams,
        errors: [
          'waitlist.entry_not_found',
          'waitlist.not_verified',
          'waitlist.already_joined',
          ...mailErrors,
        ],
        response: { 200: EntryView },
      },
    },
    async (request) => {
      const { id } = request.params;
      await waitlistApprovals.approve(id, requestActor(request));
      return EntryView.parse(await service.get(id));
    },
  );
}

function denyRoutes(
  app: ZodApp,
  { waitlistApprovals, waitlistEntries: { service } }: EntryRoutesOptions,
): void {
  app.post(
    '/api/v2/waitlist/entries/deny',
    {
      config: resourceLimits.write,
      schema: {
        operationId: 'waitlistEntries.deny_many',
        summary: 'Deny several people',
        description: 'At most 1,000. Withdraws the credit for referring them. Sends no message.',
        tags,
        body: DenyBody,
        errors: ['waitlist.entry_not_found', 'waitlist.already_joined'],
        response: { 200: DeniedView },
      },
    },
    async (request) => ({
      denied: await waitlistApprovals.deny(request.body.ids, requestActor(request)),
    }),
  );

  app.post(
    '/api/v2/waitlist/entries/:id/deny',
    {
      config: resourceLimits.write,
      schema: {
        operationId: 'waitlistEntries.deny',
        summary: 'Deny a person',
        description: 'Withdraws the credit for referring them. Sends no message.',
        tags,
        params: EntryParams,
        errors: ['waitlist.entry_not_found', 'waitlist.already_joined'],
        response: { 200: EntryView },
      },
    },
    async (request) => {
      const { id } = request.params;
      await waitlistApprovals.deny([id], requestActor(request));
      return EntryView.parse(await service.get(id));
    },
  );
}

function figureRoutes(app: ZodApp, { waitlistApprovals }: EntryRoutesOptions): void {
  app.get(
    '/api/v2/waitlist/entries/stats',
    {
      config: resourceLimits.read,
      schema: {
        operationId: 'waitlistEntries.stats',
        summary: 'Show figures of the waitlist',
        description: 'Entries by status, and referrals with and without credit.',
        tags,
        response: { 200: FiguresView },
      },
    },
    () => waitlistApprovals.figures(),
  );

  app.post(
    '/api/v2/waitlist/entries/rebuild',
    {
      config: resourceLimits.file,
      schema: {
        operationId: 'waitlistEntries.rebuild',
        summary: 'Recompute all scores',
        description:
          'Recomputes every score from the referrals. The service does this once a day, so it ' +
          'is needed only after direct changes to the database.',
        tags,
        response: { 200: RebuiltView },
      },
    },
    async (request) => ({ corrected: await waitlistApprovals.rebuild(requestActor(request)) }),
  );
}

/** What admins do with the waitlist besides the routes of the resource. */
export const waitlistEntryRoutes: FastifyPluginAsyncZod<EntryRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  batchRoutes(app, options);
  approveRoute(app, options);
  denyRoutes(app, options);
  figureRoutes(app, options);
};
