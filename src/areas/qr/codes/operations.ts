import { operationsOf } from '../../../platform/operations/operation.ts';
import { limited } from '../../../platform/operations/limits.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import type { QrContext } from '../compose.ts';
import { QrCodeView } from '../schemas.ts';
import { CodeParams, FormerTargetsView, RestoreBody, StatsQuery, StatsView } from './schemas.ts';

const operation = operationsOf<QrContext>({ scope: 'admin', tag: 'qr', noStore: false });

/** Former targets, for admins. */
export const targetOperations = [
  operation({
    id: 'qrCodes.list_targets',
    path: 'GET /api/v1/qr-codes/:id/targets',
    summary: 'List previous targets',
    description: 'The last hundred targets, newest first.',
    limit: resourceLimits.read,
    params: CodeParams,
    output: FormerTargetsView,
    errors: ['qr.not_found', 'qr.not_dynamic'],
    run: async ({ qr }, { id }) => ({ data: await qr.targets.list(id) }),
  }),
  operation({
    id: 'qrCodes.restore',
    path: 'POST /api/v1/qr-codes/:id/restore',
    summary: 'Restore a previous target',
    description:
      'Restores the previous target, or the one with the given id. This can be undone too.',
    limit: resourceLimits.write,
    params: CodeParams,
    body: RestoreBody,
    output: QrCodeView,
    errors: ['qr.not_found', 'qr.not_dynamic', 'qr.target_not_found'],
    run: ({ qr }, { id, target_id: targetId }, { by }) => qr.targets.restore(id, targetId, by),
  }),
];

/** The figures of scans, for admins. */
export const statsOperations = [
  operation({
    id: 'qrCodes.get_stats',
    path: 'GET /api/v1/qr-codes/:id/stats',
    summary: 'Get a code’s scans',
    description:
      'Scans by time, place and device. For more, use `filter` with the dashboard, the export ' +
      'or a goal of the site.',
    limit: limited({ max: 300, seconds: 60, failOpen: true }),
    params: CodeParams,
    query: StatsQuery,
    output: StatsView,
    errors: [
      'qr.not_found',
      'qr.not_dynamic',
      'analytics.store_failed',
      'analytics.query_timeout',
      'analytics.too_many_queries',
      'analytics.busy',
    ],
    run: ({ qr }, { id, ...query }, { requester }) => qr.stats.get(id, query, requester),
  }),
];
