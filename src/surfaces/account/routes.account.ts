import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { allowScript, configurePageScope, redirectResponse } from '../../platform/ui/page-scope.ts';
import { sendPage } from '../../platform/ui/pages.tsx';
import { acceptFileForms } from '../../platform/http/body-parsers.ts';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { accountPage, backupCodesPage, enrolPage } from './account-pages.tsx';
import { confirmContactForms, contactRoutes } from './routes.contact.ts';
import { addExportFile, deletionRoutes, exportForm } from './routes.data.ts';
import { profileRoutes } from './routes.profile.ts';
import {
  AccountQuery,
  ConfirmForm,
  EndSessionForm,
  HtmlPage,
  PasskeyForm,
  PasskeyIdForm,
} from './schemas.ts';
import { texts } from './texts/en.ts';
import { type AccountContext, form, redirectDone, type Visit } from './routes.visits.ts';

const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};

/** Sends clients without the necessary sign-in to the sign-in page. */
function configureAccountPages(app: ZodApp, { layout }: AccountContext): void {
  configurePageScope(app, {
    layout,
    back: { href: '/account', text: texts.account.back },
    signInAt: (code) => `/login?next=/account${reasons[code] ?? ''}`,
  });
}

function showAccount(app: ZodApp, { account, guards, layout }: AccountContext): void {
  app.get(
    '/account',
    {
      schema: {
        operationId: 'account.page',
        summary: 'Account page',
        description:
          'Your profile, sessions and second factors. Redirects to the sign-in page if ' +
          'you are not signed in (303).',
        tags: ['pages'],
        querystring: AccountQuery,
        response: {
          200: HtmlPage,
          ...redirectResponse('Not signed in: redirect to the sign-in page.'),
        },
      },
    },
    async (request, reply) =>
      sendPage(
        allowScript(reply),
        layout(accountPage(await account.view(guards.sessionOf(request)), request.query.done)),
      ),
  );
}

const sessionForms = [
  form({
    path: '/account/sessions/end',
    id: 'account.end_session',
    summary: 'end a session',
    body: EndSessionForm,
    run: ({ account }, { session, body, from }) => account.endSession(session, body.id, from),
    done: 'session_ended',
  }),
  form({
    path: '/account/sessions/end-others',
    id: 'account.end_other_sessions',
    summary: 'end all other sessions',
    run: ({ account }, { session, from }) => account.endOthers(session, from),
    done: 'others_ended',
  }),
  form({
    path: '/account/sign-out',
    id: 'account.sign_out',
    summary: 'sign out',
    run: async ({ account, clearedCookies }, { session, from, reply }) => {
      await account.endSession(session, session.id, from);
      return reply.header('set-cookie', clearedCookies).redirect('/login?done=signed_out', 303);
    },
  }),
];

const factorResetForm = form({
  path: '/account/factor-reset/cancel',
  id: 'account.cancel_own_factor_reset',
  summary: 'cancel the 2FA reset',
  limit: { rateLimit: limit({ max: 20, seconds: 300 }) },
  run: ({ factorResets }, { session, from }) => factorResets.cancelOwn(session, from),
  done: 'reset_canceled',
});

/** The own account, for signed-in users. */
export const accountRoutes: FastifyPluginAsyncZod<AccountContext> = async (app, context) => {
  configureAccountPages(app, context);
  acceptFileForms(app);
  showAccount(app, context);
  const routes = [...sessionForms, ...profileRoutes, ...confirmContactForms];
  for (const add of [...routes, exportForm, factorResetForm]) add(app, context);
};

/** Answers after a factor was set up: shows new backup codes once, or leads to the account. */
const sendConfirmed = (
  { reply, send }: Visit,
  codes: readonly string[],
  name: 'passkey_added' | 'totp_confirmed',
): FastifyReply =>
  codes.length === 0 ? redirectDone(reply, name) : send(backupCodesPage(codes, name));

const passkeyForms = [
  form({
    path: '/account/passkeys',
    id: 'account.passkey_add',
    summary: 'add a passkey',
    limit: codeLimits.verify,
    body: PasskeyForm,
    run: async ({ account }, visit) => {
      const added = await account.addPasskey(visit.session, visit.body, visit.from);
      if (!added.isRight) return redirectDone(visit.reply, 'passkey_refused');
      return sendConfirmed(visit, added.codes, 'passkey_added');
    },
  }),
  form({
    path: '/account/passkeys/remove',
    id: 'account.passkey_remove',
    summary: 'remove a passkey',
    limit: codeLimits.verify,
    body: PasskeyIdForm,
    run: ({ account }, { session, body, from }) => account.removePasskey(session, body.id, from),
    done: 'passkey_removed',
  }),
];

async function renderQrImage(uri: string): Promise<string> {
  const { toString: toQrCode } = await import('qrcode');
  const svg = await toQrCode(uri, { type: 'svg', margin: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** Of the form for a code, shown again. */
const statusOf = { wrong: 400, malformed: 422 } as const;

const totpForms = [
  form({
    path: '/account/totp',
    id: 'account.totp',
    summary: 'set up an authenticator app',
    limit: codeLimits.verify,
    run: async ({ account }, { session, send }) => {
      const uri = await account.beginTotp(session);
      return send(enrolPage(uri, await renderQrImage(uri)));
    },
  }),
  form({
    path: '/account/totp/confirm',
    id: 'account.totp_confirm',
    summary: 'confirm the authenticator app',
    limit: codeLimits.verify,
    body: ConfirmForm,
    run: async ({ account }, visit) => {
      const { code, uri } = visit.body;
      const confirmed = await account.confirmTotp(visit.session, code, visit.from);
      if (confirmed.isRight) return sendConfirmed(visit, confirmed.codes, 'totp_confirmed');
      const { problem } = confirmed;
      return visit.send(enrolPage(uri, await renderQrImage(uri), problem), statusOf[problem]);
    },
  }),
  form({
    path: '/account/totp/remove',
    id: 'account.totp_remove',
    summary: 'remove the authenticator app',
    limit: codeLimits.verify,
    run: ({ account }, { session, from }) => account.removeTotp(session, from),
    done: 'totp_removed',
  }),
];

const backupCodesForm = form({
  path: '/account/backup-codes',
  id: 'account.backup_codes',
  summary: 'new backup codes',
  limit: codeLimits.verify,
  run: async ({ account }, { session, from, send }) =>
    send(backupCodesPage(await account.newBackupCodes(session, from))),
});

/**
 * Changes to the user's second factor and addresses, and deletion, shortly after signing in.
 * Secrets are sent without a redirect.
 */
export const accountFactorRoutes: FastifyPluginAsyncZod<AccountContext> = async (app, context) => {
  configureAccountPages(app, context);
  const routes = [...totpForms, backupCodesForm, ...passkeyForms, ...contactRoutes];
  for (const add of [...routes, ...deletionRoutes]) add(app, context);
  addExportFile(app, context);
};
