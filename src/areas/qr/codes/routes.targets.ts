import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import { QrCodeView } from '../schemas.ts';
import { CodeParams, FormerTargetsView, RestoreBody } from './schemas.targets.ts';
import type { FormerTargets } from './targets.ts';

export interface TargetRoutesOptions {
  formerTargets: FormerTargets;
}

const tags = ['qr'];

/** Former targets, for admins. */
export const targetRoutes: FastifyPluginAsyncZod<TargetRoutesOptions> = async (
  app,
  { formerTargets },
) => {
  app.get(
    '/api/v1/qr-codes/:id/targets',
    {
      config: resourceLimits.read,
      schema: {
        operationId: 'qrCodes.list_targets',
        summary: 'List former targets',
        description: 'Where the code has led before: the last hundred targets, newest first.',
        tags,
        params: CodeParams,
        errors: ['qr.not_found', 'qr.not_dynamic'],
        response: { 200: FormerTargetsView },
      },
    },
    async (request) => ({ data: await formerTargets.list(request.params.id) }),
  );

  app.post(
    '/api/v1/qr-codes/:id/restore',
    {
      config: resourceLimits.write,
      schema: {
        operationId: 'qrCodes.restore',
        summary: 'Restore a former target',
        description:
          'Undoes the last change of the target, or goes back to the one with the given id. The ' +
          'target that it replaces joins the former ones, so this can be undone too.',
        tags,
        params: CodeParams,
        body: RestoreBody,
        errors: ['qr.not_found', 'qr.not_dynamic', 'qr.target_not_found'],
        response: { 200: QrCodeView },
      },
    },
    (request) =>
      formerTargets.restore(request.params.id, request.body?.target_id, requestActor(request)),
  );
};
