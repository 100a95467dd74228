import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { allowScript, asPages, leadsOn } from '../../platform/ui/page-scope.ts';
import { type Layout, sendPage } from '../../platform/ui/pages.ts';
import { codeLimits } from '../../platform/http/code-limits.ts';
import { originOf } from '../../platform/http/request-origin.ts';
import type { Guards } from '../../areas/auth/guards.ts';
import type { Account } from './account.ts';
import { accountPage, backupCodesPage, enrolPage } from './account-pages.ts';
import {
  AccountQuery,
  ConfirmForm,
  EndSessionForm,
  HtmlPage,
  PasskeyForm,
  PasskeyIdForm,
} from './schemas.ts';

export interface AccountRoutesOptions {
  account: Account;
  guards: Pick<Guards, 'sessionOf'>;
  layout: Layout;
  clock: Clock;
  /** The Set-Cookie headers that take the session away from a browser. */
  clearedCookies: string[];
}

type Routes = Parameters<FastifyPluginAsyncZod<AccountRoutesOptions>>[0];

const tags = ['pages'];
const reasons: Partial<Record<string, string>> = {
  'auth.step_up_required': '&reason=fresh',
  'second_factor.aal2_required': '&reason=second_factor',
};

/** Whoever is not signed in, or not well enough, is asked to. */
function asAccountPages(app: Routes, layout: Layout): void {
  asPages(app, {
    layout,
    back: { href: '/account', text: 'Go to your account' },
    signInAt: (code) => `/login?next=/account${reasons[code] ?? ''}`,
  });
}

async function qrImage(uri: string): Promise<string> {
  const { toString: toQrCode } = await import('qrcode');
  const svg = await toQrCode(uri, { type: 'svg', margin: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

const done = (reply: FastifyReply, name: string): FastifyReply =>
  reply.redirect(`/account?done=${name}`, 303);

/** The own account: for whoever has signed in. */
export const accountRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (
  app,
  { account, guards, layout, clock, clearedCookies },
) => {
  asAccountPages(app, layout);

  app.get(
    '/',
    {
      schema: {
        operationId: 'account.page',
        summary: 'Page of the own account',
        description:
          'Who am I, my sessions, my second factor. Who is not signed in goes to the sign-in ' +
          'page (303).',
        tags,
        querystring: AccountQuery,
        response: { 200: HtmlPage, ...leadsOn('Nobody is signed in: to the sign-in page.') },
      },
    },
    async (request, reply) =>
      sendPage(
        allowScript(reply),
        layout(accountPage(await account.view(guards.sessionOf(request)), request.query.done)),
      ),
  );

  app.post(
    '/sessions/end',
    {
      schema: {
        operationId: 'account.end_session',
        summary: 'Form: end a session',
        tags,
        hide: true,
        body: EndSessionForm,
      },
    },
    async (request, reply) => {
      await account.endSession(
        guards.sessionOf(request),
        request.body.id,
        originOf(request, clock.now()),
      );
      return done(reply, 'session_ended');
    },
  );

  app.post(
    '/sessions/end-others',
    {
      schema: {
        operationId: 'account.end_other_sessions',
        summary: 'Form: end all other sessions',
        tags,
        hide: true,
      },
    },
    async (request, reply) => {
      await account.endOthers(guards.sessionOf(request), originOf(request, clock.now()));
      return done(reply, 'others_ended');
    },
  );

  app.post(
    '/sign-out',
    {
      schema: { operationId: 'account.sign_out', summary: 'Form: sign out', tags, hide: true },
    },
    async (request, reply) => {
      const session = guards.sessionOf(request);
      await account.endSession(session, session.id, originOf(request, clock.now()));
      return reply.header('set-cookie', clearedCookies).redirect('/login?done=signed_out', 303);
    },
  );
};

function passkeyForms(app: Routes, { account, guards, layout, clock }: AccountRoutesOptions): void {
  app.post(
    '/passkeys',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.passkey_add',
        summary: 'Form: add a passkey',
        tags,
        hide: true,
        body: PasskeyForm,
      },
    },
    async (request, reply) => {
      const added = await account.addPasskey(
        guards.sessionOf(request),
        request.body,
        originOf(request, clock.now()),
      );
      if (!added.isRight) return done(reply, 'passkey_refused');
      return added.codes.length === 0
        ? done(reply, 'passkey_added')
        : sendPage(reply, layout(backupCodesPage(added.codes, 'passkey_added')));
    },
  );

  app.post(
    '/passkeys/remove',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.passkey_remove',
        summary: 'Form: remove a passkey',
        tags,
        hide: true,
        body: PasskeyIdForm,
      },
    },
    async (request, reply) => {
      await account.removePasskey(
        guards.sessionOf(request),
        request.body.id,
        originOf(request, clock.now()),
      );
      return done(reply, 'passkey_removed');
    },
  );
}

/**
 * Changes to the own second factor: only shortly after signing in. What is shown once is answered
 * without a redirect.
 */
export const accountFactorRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (
  app,
  options,
) => {
  const { account, guards, layout, clock } = options;
  asAccountPages(app, layout);
  const shown = async (reply: FastifyReply, uri: string, isWrong = false) =>
    sendPage(reply, layout(enrolPage(uri, await qrImage(uri), isWrong)));

  app.post(
    '/totp',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.totp',
        summary: 'Form: set up an authenticator app',
        tags,
        hide: true,
      },
    },
    async (request, reply) => shown(reply, await account.beginTotp(guards.sessionOf(request))),
  );

  app.post(
    '/totp/confirm',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.totp_confirm',
        summary: 'Form: confirm the authenticator app',
        tags,
        hide: true,
        body: ConfirmForm,
      },
    },
    async (request, reply) => {
      const { code, uri } = request.body;
      const confirmed = await account.confirmTotp(
        guards.sessionOf(request),
        code,
        originOf(request, clock.now()),
      );
      if (!confirmed.isRight) return shown(reply.code(400), uri, true);
      return confirmed.codes.length === 0
        ? done(reply, 'totp_confirmed')
        : sendPage(reply, layout(backupCodesPage(confirmed.codes, 'totp_confirmed')));
    },
  );

  app.post(
    '/totp/remove',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.totp_remove',
        summary: 'Form: remove the authenticator app',
        tags,
        hide: true,
      },
    },
    async (request, reply) => {
      await account.removeTotp(guards.sessionOf(request), originOf(request, clock.now()));
      return done(reply, 'totp_removed');
    },
  );

  app.post(
    '/backup-codes',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'account.backup_codes',
        summary: 'Form: new backup codes',
        tags,
        hide: true,
      },
    },
    async (request, reply) =>
      sendPage(
        reply,
        layout(
          backupCodesPage(
            await account.newBackupCodes(guards.sessionOf(request), originOf(request, clock.now())),
          ),
        ),
      ),
  );

  passkeyForms(app, options);
};
