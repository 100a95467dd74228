import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  accountDataPath,
  accountPath,
  accountSecurityPath,
  accountSessionsPath,
} from '../../lib/site-paths.ts';
import { allowScript, configurePageScope } from '../../platform/ui/page-scope.ts';
import { sendPage } from '../../platform/ui/pages.tsx';
import { acceptFileForms } from '../../platform/http/body-parsers.ts';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { dataPage } from './data-pages.tsx';
import { backupCodesPage, enrolPage } from './factor-pages.tsx';
import { profilePage } from './profile-pages.tsx';
import { securityPage } from './security-page.tsx';
import { sessionsPage } from './sessions-page.tsx';
import { confirmContactForms, contactRoutes } from './routes.contact.ts';
import { addExportFile, deletionRoutes, exportForm } from './routes.data.ts';
import { profileRoutes } from './routes.profile.ts';
import {
  AccountQuery,
  ConfirmForm,
  EndSessionForm,
  PasskeyForm,
  PasskeyIdForm,
  pageSchema,
} from './schemas.ts';
import { texts } from './texts/en.ts';
import { type AccountContext, form, redirectDone, type Visit } from './routes.visits.ts';

const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};

/** Where people come back to after they signed in again. */
const homes: readonly (readonly [RegExp, string])[] = [
  [/^\/account\/(security|totp|backup-codes|passkeys|factor-reset)\b/, accountSecurityPath],
  [/^\/account\/sessions\b/, accountSessionsPath],
  [/^\/account\/(data|export|delete|keep)\b/, accountDataPath],
];

/** Sends clients without the necessary sign-in to the sign-in page. */
function configureAccountPages(app: ZodApp, { layout }: AccountContext): void {
  configurePageScope(app, {
    layout,
    back: { href: accountPath, text: texts.account.back },
    placeOf: ({ status, code }, { url }) => {
      if (status !== 401) return undefined;
      const home = homes.find(([form]) => form.test(url))?.[1] ?? accountPath;
      return `/login?next=${home}${reasons[code] ?? ''}`;
    },
  });
}

const parts = [
  [accountPath, 'account.page', 'Account page', 'Your profile.', profilePage],
  [
    accountSecurityPath,
    'account.security_page',
    'Account security page',
    'Your passkeys, authenticator app and backup codes.',
    securityPage,
  ],
  [
    accountSessionsPath,
    'account.sessions_page',
    'Account sessions page',
    'Where you are signed in.',
    sessionsPage,
  ],
  [
    accountDataPath,
    'account.data_page',
    'Account data page',
    'A copy of your data, and deleting the account.',
    dataPage,
  ],
] as const;

function showAccount(app: ZodApp, { account, guards, layout }: AccountContext): void {
  for (const [path, id, summary, contents, page] of parts)
    app.get(
      path,
      { schema: { ...pageSchema(id, summary, contents), querystring: AccountQuery } },
      async (request, reply) => {
        const view = await account.view(guards.sessionOf(request));
        return sendPage(allowScript(reply), layout(page(view, request.query.done)));
      },
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
  { brand }: AccountContext,
  { reply, send }: Visit,
  codes: readonly string[],
  name: 'passkey_added' | 'totp_confirmed',
): FastifyReply => {
  if (codes.length === 0) return redirectDone(reply, name);
  allowScript(reply);
  return send(backupCodesPage(codes, brand().name, name));
};

const passkeyForms = [
  form({
    path: '/account/passkeys',
    id: 'account.passkey_add',
    summary: 'add a passkey',
    limit: codeLimits.verify,
    body: PasskeyForm,
    run: async (context, visit) => {
      const added = await context.account.addPasskey(visit.session, visit.body, visit.from);
      if (!added.isRight) return redirectDone(visit.reply, 'passkey_refused');
      return sendConfirmed(context, visit, added.codes, 'passkey_added');
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
    run: async (context, visit) => {
      const { code, uri } = visit.body;
      const confirmed = await context.account.confirmTotp(visit.session, code, visit.from);
      if (confirmed.isRight)
        return sendConfirmed(context, visit, confirmed.codes, 'totp_confirmed');
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
  run: async ({ account, brand }, { session, from, reply, send }) => {
    allowScript(reply);
    return send(backupCodesPage(await account.newBackupCodes(session, from), brand().name));
  },
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
