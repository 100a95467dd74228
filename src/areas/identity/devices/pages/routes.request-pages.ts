import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { consolePath } from '../../../../lib/site-paths.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { isNavigation } from '../../../../platform/http/requests/request-origin.ts';
import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { allowScript, redirectResponse } from '../../../../platform/ui/page-scope.ts';
import { sendPage } from '../../../../platform/ui/pages.tsx';
import type { Approver } from '../approval/decisions.ts';
import type { DevicesContext } from '../compose.ts';
import { deviceLimits } from '../limits.ts';
import { texts } from '../texts/en.ts';
import { toRequestView } from '../views.ts';
import { configureDevicePages, formOptions, requestsPath, tags } from './routes.options.ts';
import { ApproveForm, DenyForm, HtmlPage, RequestParams, RequestsQuery } from './schemas.ts';
import { type DecisionError, requestsPage } from './request-pages.tsx';

const maxDecided = 20;

/** The page of the console where a person decides on requests. `done`: what it confirms. */
const consoleQueue = (done: string | undefined): string => {
  const query = done === undefined ? '' : `?${new URLSearchParams({ done }).toString()}`;
  return `${consolePath}devices${query}`;
};

async function showRequests(
  { devices, layout, clock }: DevicesContext,
  { device, session }: FastifyRequest,
  reply: FastifyReply,
  { done, error }: { done?: string | undefined; error?: DecisionError },
): Promise<FastifyReply> {
  const signal = disconnectSignal(reply);
  const viewerId = session?.userId;
  const [open, decided] = await Promise.all([
    devices.decisions.list('open', signal),
    devices.decisions.list('decided', signal),
  ]);
  const script =
    device === undefined
      ? undefined
      : { device, nonce: devices.nonces.current(), now: clock.now() };
  const view = {
    open: open.map((each) => toRequestView(each, viewerId)),
    decided: decided.slice(0, maxDecided).map((each) => toRequestView(each, viewerId)),
    viewerId,
    script,
    error,
  };
  return sendPage(
    script === undefined ? reply : allowScript(reply),
    layout(requestsPage(view, done)),
  );
}

/** Approves a request, or returns the error in the number. Throws the other errors of `decide`. */
async function approve(
  { devices }: DevicesContext,
  requestId: string,
  { number: given, note }: z.output<typeof ApproveForm>,
  approver: Approver,
): Promise<DecisionError | undefined> {
  const number = given.replace(/\s/g, '');
  if (!/^\d{2}$/.test(number)) return { requestId, text: texts.requests.numberError };
  try {
    await devices.decisions.decide(
      requestId,
      { isApproved: true, number, note: note === '' ? undefined : note },
      approver,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'blackops.wrong_number')) throw error;
    return { requestId, text: texts.requests.wrongNumber };
  }
}

/** The route options of a form that decides on a request. */
function decisionOptions<Body extends z.ZodType>(operationId: string, summary: string, body: Body) {
  const { bodyLimit, schema } = formOptions(operationId, summary, body);
  return { bodyLimit, config: deviceLimits.admin, schema: { ...schema, params: RequestParams } };
}

function approveForm(app: ZodApp, options: DevicesContext): void {
  const { deviceGuards, guards } = options;
  app.post(
    '/account/devices/requests/:id/approve',
    decisionOptions('devicePages.approve', 'Form: approve a device', ApproveForm),
    async (request, reply) => {
      guards.requireFresh(request);
      const approver = deviceGuards.approverOf(request);
      const error = await approve(options, request.params.id, request.body, approver);
      return error === undefined
        ? reply.redirect(`${requestsPath}?done=approved`, 303)
        : showRequests(options, request, reply.code(400), { error });
    },
  );
}

function denyForm(app: ZodApp, { devices, deviceGuards, guards }: DevicesContext): void {
  app.post(
    '/account/devices/requests/:id/deny',
    decisionOptions('devicePages.deny', 'Form: deny approval of a device', DenyForm),
    async (request, reply) => {
      guards.requireFresh(request);
      const { note } = request.body;
      await devices.decisions.decide(
        request.params.id,
        { isApproved: false, number: undefined, note: note === '' ? undefined : note },
        deviceGuards.approverOf(request),
      );
      return reply.redirect(`${requestsPath}?done=denied`, 303);
    },
  );
}

/** The page of requests for approval, for admins on an approved device. */
export const requestPageRoutes: FastifyPluginAsyncZod<DevicesContext> = async (app, options) => {
  configureDevicePages(app, options, requestsPath, texts.requests.back);

  app.get(
    '/account/devices/requests',
    {
      config: deviceLimits.admin,
      schema: {
        operationId: 'devicePages.requests',
        summary: 'Approval requests page',
        description:
          'Redirects browsers to the devices page of the console (303), or to your devices ' +
          'page if this device is not approved. Other clients get the pending requests with ' +
          'forms to approve or deny them.',
        tags,
        querystring: RequestsQuery,
        response: {
          200: HtmlPage,
          ...redirectResponse(
            'For browsers: redirect to the console, or to the page for what is missing: a ' +
              'sign-in, or an approved device.',
          ),
        },
      },
    },
    async (request, reply) =>
      isNavigation(request, reply)
        ? reply.redirect(consoleQueue(request.query.done), 303)
        : showRequests(options, request, reply, request.query),
  );

  approveForm(app, options);
  denyForm(app, options);
};
