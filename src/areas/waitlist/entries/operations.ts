import { operationsOf } from '../../../platform/operations/operation.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import type { WaitlistContext } from '../compose.ts';
import {
  ApproveBody,
  BatchView,
  DeniedView,
  DenyBody,
  EntryParams,
  EntryView,
  FiguresView,
  RebuiltView,
} from './schemas.ts';

const operation = operationsOf<WaitlistContext>({
  scope: 'admin',
  tag: 'waitlist',
  limit: resourceLimits.write,
});

const denialErrors = ['waitlist.entry_not_found', 'waitlist.already_joined'];

/** What admins do with the waitlist besides the operations of the resource. */
export const entryOperations = [
  operation({
    id: 'waitlistEntries.approve_many',
    path: 'POST /api/v2/waitlist/entries/approve',
    summary: 'Approve several people',
    description:
      'Approves the next people in line, or those with the given ids, at most 1,000. Two ' +
      'concurrent calls never approve the same person. A job sends the invitations; ' +
      '`waitlistEntries.get_batch` shows its progress. Ids that can’t be approved are ' +
      'skipped, and people with disposable mailboxes are left out.',
    body: ApproveBody,
    output: BatchView,
    errors: ['waitlist.email_not_configured'],
    run: ({ waitlistApprovals }, body, { by }) => waitlistApprovals.approveMany(body, by),
  }),
  operation({
    id: 'waitlistEntries.get_batch',
    path: 'GET /api/v2/waitlist/batches/:id',
    summary: 'Get a batch of approvals',
    description: 'How many people were approved together, and how many have been invited so far.',
    limit: resourceLimits.read,
    params: EntryParams,
    output: BatchView,
    errors: ['waitlist.batch_not_found'],
    run: ({ waitlistApprovals }, { id }) => waitlistApprovals.getBatch(id),
  }),
  operation({
    id: 'waitlistEntries.approve',
    path: 'POST /api/v2/waitlist/entries/:id/approve',
    summary: 'Approve a person',
    description: 'Sends the invitation. Approving a person again has no effect.',
    params: EntryParams,
    output: EntryView,
    errors: [
      'waitlist.entry_not_found',
      'waitlist.not_verified',
      'waitlist.already_joined',
      'waitlist.email_not_configured',
    ],
    async run({ waitlistApprovals, waitlistEntries: { service } }, { id }, { by }) {
      await waitlistApprovals.approve(id, by);
      return EntryView.parse(await service.get(id));
    },
  }),
  operation({
    id: 'waitlistEntries.deny_many',
    path: 'POST /api/v2/waitlist/entries/deny',
    summary: 'Deny several people',
    description: 'At most 1,000. Withdraws the credit for referring them. Sends no message.',
    body: DenyBody,
    output: DeniedView,
    errors: denialErrors,
    run: async ({ waitlistApprovals }, { ids }, { by }) => ({
      denied: await waitlistApprovals.deny(ids, by),
    }),
  }),
  operation({
    id: 'waitlistEntries.deny',
    path: 'POST /api/v2/waitlist/entries/:id/deny',
    summary: 'Deny a person',
    description: 'Withdraws the credit for referring them. Sends no message.',
    params: EntryParams,
    output: EntryView,
    errors: denialErrors,
    async run({ waitlistApprovals, waitlistEntries: { service } }, { id }, { by }) {
      await waitlistApprovals.deny([id], by);
      return EntryView.parse(await service.get(id));
    },
  }),
  operation({
    id: 'waitlistEntries.stats',
    path: 'GET /api/v2/waitlist/entries/stats',
    summary: 'Get waitlist figures',
    description: 'Entries by status, and referrals with and without credit.',
    limit: resourceLimits.read,
    output: FiguresView,
    run: ({ waitlistApprovals }) => waitlistApprovals.figures(),
  }),
  operation({
    id: 'waitlistEntries.rebuild',
    path: 'POST /api/v2/waitlist/entries/rebuild',
    summary: 'Recompute all scores',
    description:
      'Recomputes every score from the referrals. The service does this once a day, so it ' +
      'is needed only after direct changes to the database.',
    limit: resourceLimits.file,
    output: RebuiltView,
    run: async ({ waitlistApprovals }, _input, { by }) => ({
      corrected: await waitlistApprovals.rebuild(by),
    }),
  }),
];
