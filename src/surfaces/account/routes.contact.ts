import { AppError } from '../../platform/errors/errors.ts';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import { isMalformedCode } from '../../areas/identity/entered-codes.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { sendFormAgain } from '../../platform/ui/page-scope.ts';
import { sendPage } from '../../platform/ui/pages.tsx';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import { readEmail, readPhone } from '../../areas/identity/account/contact/read-contact.ts';
import { changeContactPage, contactCodePage, type ContactKind } from './contact-pages.tsx';
import { redirectDone } from './redirect-done.ts';
import type { AccountRoutesOptions } from './routes.account.ts';
import { ContactCodeForm, EmailForm, formSchema, pageSchema, PhoneForm } from './schemas.ts';

const codeOf = (error: unknown): string | undefined =>
  error instanceof AppError ? error.code : undefined;

/** Pages that ask for a new address or number. In the fresh scope: people sign in first. */
export function contactPages(app: ZodApp, { layout }: AccountRoutesOptions): void {
  app.get(
    '/email',
    {
      schema: pageSchema(
        'account.email_page',
        'Page to change your email address',
        'A form for the new address, which gets a code.',
      ),
    },
    async (_request, reply) => sendPage(reply, layout(changeContactPage('email'))),
  );

  app.get(
    '/phone',
    {
      schema: pageSchema(
        'account.phone_page',
        'Page to change your phone number',
        'A form for the new number, which gets a code.',
      ),
    },
    async (_request, reply) => sendPage(reply, layout(changeContactPage('phone'))),
  );
}

/** Forms that send a code to the new address or number. */
export function contactForms(app: ZodApp, options: AccountRoutesOptions): void {
  const { ownAccount, guards, layout, clock } = options;

  app.post(
    '/email',
    {
      config: codeLimits.send,
      schema: { ...formSchema('account.send_email_code', 'a new address'), body: EmailForm },
    },
    async (request, reply) => {
      const { email } = request.body;
      const from = originOf(request, clock.now());
      try {
        const { contacts } = ownAccount;
        const { to } = await contacts.start(guards.sessionOf(request), readEmail(email), from);
        return await sendPage(reply, layout(contactCodePage('email', to)));
      } catch (error) {
        if (!(error instanceof RequestValidationError)) throw error;
        const page = () => layout(changeContactPage('email', email, 'invalid'));
        return sendFormAgain(error, request, reply, page);
      }
    },
  );

  app.post(
    '/phone',
    {
      config: codeLimits.send,
      schema: { ...formSchema('account.send_phone_code', 'a new number'), body: PhoneForm },
    },
    async (request, reply) => {
      const { phone } = request.body;
      const from = originOf(request, clock.now());
      try {
        const identifier = await readPhone(phone, undefined);
        const { to } = await ownAccount.contacts.start(guards.sessionOf(request), identifier, from);
        return await sendPage(reply, layout(contactCodePage('phone', to)));
      } catch (error) {
        if (!(error instanceof RequestValidationError)) throw error;
        const page = () => layout(changeContactPage('phone', phone, 'invalid'));
        return sendFormAgain(error, request, reply, page);
      }
    },
  );
}

/** Forms for the code. Not in the fresh scope: it may arrive after five minutes have passed. */
export function confirmContactForms(app: ZodApp, options: AccountRoutesOptions): void {
  const { ownAccount, guards, layout, clock } = options;
  const confirmForm = (kind: ContactKind) => async (request: ConfirmRequest) => {
    const session = guards.sessionOf(request);
    const from = originOf(request, clock.now());
    try {
      await ownAccount.contacts.confirm(session, kind, request.body.code, from);
      return undefined;
    } catch (error) {
      if (codeOf(error) === 'account.contact_taken')
        return { status: 409, page: layout(changeContactPage(kind, '', 'taken')) };
      const isMalformed = isMalformedCode(error);
      if (!isMalformed && codeOf(error) !== 'otp.invalid') throw error;
      const to = await ownAccount.contacts.pendingOf(session, kind);
      const page = layout(contactCodePage(kind, to, isMalformed ? 'malformed' : 'wrong'));
      return { status: isMalformed ? 422 : 400, page };
    }
  };
  const [confirmEmail, confirmPhone] = [confirmForm('email'), confirmForm('phone')];

  app.post(
    '/email/confirm',
    {
      config: codeLimits.verify,
      schema: { ...formSchema('account.enter_email_code', 'the code'), body: ContactCodeForm },
    },
    async (request, reply) => {
      const again = await confirmEmail(request);
      return again === undefined
        ? redirectDone(reply, 'contact_changed')
        : sendPage(reply.code(again.status), again.page);
    },
  );

  app.post(
    '/phone/confirm',
    {
      config: codeLimits.verify,
      schema: { ...formSchema('account.enter_phone_code', 'the code'), body: ContactCodeForm },
    },
    async (request, reply) => {
      const again = await confirmPhone(request);
      return again === undefined
        ? redirectDone(reply, 'contact_changed')
        : sendPage(reply.code(again.status), again.page);
    },
  );
}

type ConfirmRequest = Parameters<AccountRoutesOptions['guards']['sessionOf']>[0] & {
  body: { code: string };
};
