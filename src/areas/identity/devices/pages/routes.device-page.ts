import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { allowScript, redirectResponse } from '../../../../platform/ui/page-scope.ts';
import { sendPage } from '../../../../platform/ui/pages.tsx';
import type { DevicesContext } from '../compose.ts';
import { deviceLimits } from '../limits.ts';
import { texts } from '../texts/en.ts';
import { configureDevicePages, devicesPath, tags } from './routes.options.ts';
import { devicesPage } from './device-pages.tsx';
import { type FormError, loadDevicesView } from './device-view.ts';
import { DevicesQuery, HtmlPage } from './schemas.ts';
import {
  askForm,
  removeForm,
  removeOthersForm,
  renameForm,
  restoreForm,
  suspendForm,
} from './routes.device-forms.ts';

async function showDevices(
  options: DevicesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, done, error }: { next?: string; done?: string | undefined; error?: FormError },
): Promise<FastifyReply> {
  const { deviceSignals, deviceGuards, guards, layout } = options;
  const recognised = await deviceGuards.recognise(request, reply);
  const session = guards.sessionOf(request);
  const presented = deviceSignals.of(request);
  const view = await loadDevicesView(options, session, recognised, presented, { next, error });
  return sendPage(allowScript(reply), layout(devicesPage(view, done)));
}

/** The page of the user's own devices, and its forms. */
export const devicePageRoutes: FastifyPluginAsyncZod<DevicesContext> = async (app, options) => {
  configureDevicePages(app, options, devicesPath, texts.devices.back);

  app.get(
    '/account/devices',
    {
      config: deviceLimits.read,
      schema: {
        operationId: 'devicePages.devices',
        summary: 'Your devices page',
        description:
          'The state of this device, the steps to approve it, and your other devices. ' +
          'Redirects to the sign-in page if you are not signed in (303).',
        tags,
        querystring: DevicesQuery,
        response: {
          200: HtmlPage,
          ...redirectResponse('Not signed in: redirect to the sign-in page.'),
        },
      },
    },
    async (request, reply) => showDevices(options, request, reply, request.query),
  );

  askForm(app, options);
  restoreForm(app, options);
  suspendForm(app, options);
  renameForm(app, options, (request, reply, error) =>
    showDevices(options, request, reply, { error }),
  );
  removeForm(app, options);
  removeOthersForm(app, options);
};
