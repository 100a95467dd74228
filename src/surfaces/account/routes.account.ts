import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { allowScript, configurePageScope, redirectResponse } from '../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../platform/ui/pages.tsx';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { FactorResets } from '../../areas/identity/resets/service.ts';
import type { OwnAccountServices } from '../../areas/identity/account/compose.ts';
import type { Account } from './account.ts';
import { accountPage, backupCodesPage, enrolPage } from './account-pages.tsx';
import { contactForms, contactPages, confirmContactForms } from './routes.contact.ts';
import { deletionForms, exportForms, exportFile } from './routes.data.ts';
import { pictureForms, profileForms } from './routes.profile.ts';
import { factorResetForm } from './routes.factor-reset.ts';
import {
  AccountQuery,
  ConfirmForm,
  EndSessionForm,
  formSchema,
  HtmlPage,
  PasskeyForm,
  PasskeyIdForm,
} from './schemas.ts';
import { redirectDone } from './redirect-done.ts';
import { texts } from './texts/en.ts';

export interface AccountRoutesOptions {
  account: Account;
  ownAccount: OwnAccountServices;
  factorResets: Pick<FactorResets, 'cancelOwn'>;
  guards: Pick<Guards, 'sessionOf'>;
  layout: Layout;
  clock: Clock;
  /** The Set-Cookie headers that delete the session cookies. */
  clearedCookies: string[];
}

type Routes = ZodApp;

const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};

/** Sends clients without the necessary sign-in to the sign-in page. */
function configureAccountPages(app: Routes, layout: Layout): void {
  configurePageScope(app, {
    layout,
    back: { href: '/account', text: texts.account.back },
    signInAt: (code) => `/login?next=/account${reasons[code] ?? ''}`,
  });
}

async function renderQrImage(uri: string): Promise<string> {
  const { toString: toQrCode } = await import('qrcode');
  const svg = await toQrCode(uri, { type: 'svg', margin: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

function showAccount(app: Routes, { account, guards, layout }: AccountRoutesOptions): void {
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

function sessionForms(
  app: Routes,
  { account, guards, clock, clearedCookies }: AccountRoutesOptions,
): void {
  app.post(
    '/account/sessions/end',
    { schema: { ...formSchema('account.end_session', 'end a session'), body: EndSessionForm } },
    async (request, reply) => {
      const from = originOf(request, clock.now());
      await account.endSession(guards.sessionOf(request), request.body.id, from);
      return redirectDone(reply, 'session_ended');
    },
  );

  app.post(
    '/account/sessions/end-others',
    { schema: formSchema('account.end_other_sessions', 'end all other sessions') },
    async (request, reply) => {
      await account.endOthers(guards.sessionOf(request), originOf(request, clock.now()));
      return redirectDone(reply, 'others_ended');
    },
  );

  app.post(
    '/account/sign-out',
    { schema: formSchema('account.sign_out', 'sign out') },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      await account.endSession(session, session.id, originOf(request, clock.now()));
      return reply.header('set-cookie', clearedCookies).redirect('/login?done=signed_out', 303);
    },
  );
}

/** The own account, for signed-in users. */
export const accountRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (app, options) => {
  configureAccountPages(app, options.layout);
  showAccount(app, options);
  sessionForms(app, options);
  profileForms(app, options);
  pictureForms(app, options);
  confirmContactForms(app, options);
  exportForms(app, options);
  factorResetForm(app, options);
};

/** Answers after a factor was set up: shows new backup codes once, or leads to the account. */
const sendConfirmed = (
  reply: FastifyReply,
  codes: readonly string[],
  name: 'passkey_added' | 'totp_confirmed',
  layout: Layout,
): FastifyReply =>
  codes.length === 0
    ? redirectDone(reply, name)
    : sendPage(reply, layout(backupCodesPage(codes, name)));

function passkeyForms(app: Routes, { account, guards, layout, clock }: AccountRoutesOptions): void {
  app.post(
    '/account/passkeys',
    {
      config: codeLimits.verify,
      schema: { ...formSchema('account.passkey_add', 'add a passkey'), body: PasskeyForm },
    },
    async (request, reply) => {
      const from = originOf(request, clock.now());
      const added = await account.addPasskey(guards.sessionOf(request), request.body, from);
      if (!added.isRight) return redirectDone(reply, 'passkey_refused');
      return sendConfirmed(reply, added.codes, 'passkey_added', layout);
    },
  );

  app.post(
    '/account/passkeys/remove',
    {
      config: codeLimits.verify,
      schema: { ...formSchema('account.passkey_remove', 'remove a passkey'), body: PasskeyIdForm },
    },
    async (request, reply) => {
      const from = originOf(request, clock.now());
      await account.removePasskey(guards.sessionOf(request), request.body.id, from);
      return redirectDone(reply, 'passkey_removed');
    },
  );
}

/** Of the form for a code, shown again. */
const statusOf = { wrong: 400, malformed: 422 } as const;

function totpForms(app: Routes, { account, guards, layout, clock }: AccountRoutesOptions): void {
  const config = codeLimits.verify;
  const sendEnrolPage = async (reply: FastifyReply, uri: string, problem?: 'wrong' | 'malformed') =>
    sendPage(reply, layout(enrolPage(uri, await renderQrImage(uri), problem)));

  app.post(
    '/account/totp',
    { config, schema: formSchema('account.totp', 'set up an authenticator app') },
    async (request, reply) =>
      sendEnrolPage(reply, await account.beginTotp(guards.sessionOf(request))),
  );

  app.post(
    '/account/totp/confirm',
    {
      config,
      schema: {
        ...formSchema('account.totp_confirm', 'confirm the authenticator app'),
        body: ConfirmForm,
      },
    },
    async (request, reply) => {
      const { code, uri } = request.body;
      const from = originOf(request, clock.now());
      const confirmed = await account.confirmTotp(guards.sessionOf(request), code, from);
      if (!confirmed.isRight)
        return sendEnrolPage(reply.code(statusOf[confirmed.problem]), uri, confirmed.problem);
      return sendConfirmed(reply, confirmed.codes, 'totp_confirmed', layout);
    },
  );

  app.post(
    '/account/totp/remove',
    { config, schema: formSchema('account.totp_remove', 'remove the authenticator app') },
    async (request, reply) => {
      await account.removeTotp(guards.sessionOf(request), originOf(request, clock.now()));
      return redirectDone(reply, 'totp_removed');
    },
  );
}

function backupCodesForm(
  app: Routes,
  { account, guards, layout, clock }: AccountRoutesOptions,
): void {
  app.post(
    '/account/backup-codes',
    {
      config: codeLimits.verify,
      schema: formSchema('account.backup_codes', 'new backup codes'),
    },
    async (request, reply) => {
      const from = originOf(request, clock.now());
      const codes = await account.newBackupCodes(guards.sessionOf(request), from);
      return sendPage(reply, layout(backupCodesPage(codes)));
    },
  );
}

/**
 * Changes to the user's second factor and addresses, and deletion, shortly after signing in.
 * Secrets are sent without a redirect.
 */
export const accountFactorRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (
  app,
  options,
) => {
  configureAccountPages(app, options.layout);
  totpForms(app, options);
  backupCodesForm(app, options);
  passkeyForms(app, options);
  contactPages(app, options);
  contactForms(app, options);
  deletionForms(app, options);
  exportFile(app, options);
};
