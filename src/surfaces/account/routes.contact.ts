import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identifier } from '../../lib/identifiers.ts';
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
    '/account/email',
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
    '/account/phone',
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

  async function sendCode(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: ContactKind,
    text: string,
    read: (text: string) => Identifier | Promise<Identifier>,
  ): Promise<FastifyReply> {
    const from = originOf(request, clock.now());
    try {
      const session = guards.sessionOf(request);
      const { to } = await ownAccount.contacts.start(session, await read(text), from);
      return await sendPage(reply, layout(contactCodePage(kind, to)));
    } catch (error) {
      if (!(error instanceof RequestValidationError)) throw error;
      const page = () => layout(changeContactPage(kind, text, 'invalid'));
      return sendFormAgain(error, request, reply, page);
    }
  }

  app.post(
    '/account/email',
    {
      config: codeLimits.send,
      schema: { ...formSchema('account.send_email_code', 'a new address'), body: EmailForm },
    },
    (request, reply) => sendCode(request, reply, 'email', request.body.email, readEmail),
  );

  app.post(
    '/account/phone',
    {
      config: codeLimits.send,
      schema: { ...formSchema('account.send_phone_code', 'a new number'), body: PhoneForm },
    },
    (request, reply) =>
      sendCode(request, reply, 'phone', request.body.phone, (text) => readPhone(text, undefined)),
  );
}

/** Forms for the code. Not in the fresh scope: it may arrive after five minutes have passed. */
export function confirmContactForms(app: ZodApp, options: AccountRoutesOptions): void {
  const { ownAccount, guards, layout, clock } = options;

  async function confirm(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: ContactKind,
    code: string,
  ): Promise<FastifyReply> {
    const session = guards.sessionOf(request);
    try {
      await ownAccount.contacts.confirm(session, kind, code, originOf(request, clock.now()));
      return await redirectDone(reply, 'contact_changed');
    } catch (error) {
      if (codeOf(error) === 'account.contact_taken')
        return sendPage(reply.code(409), layout(changeContactPage(kind, '', 'taken')));
      const isMalformed = isMalformedCode(error);
      if (!isMalformed && codeOf(error) !== 'otp.invalid') throw error;
      const to = await ownAccount.contacts.pendingOf(session, kind);
      const page = contactCodePage(kind, to, isMalformed ? 'malformed' : 'wrong');
      return sendPage(reply.code(isMalformed ? 422 : 400), layout(page));
    }
  }

  app.post(
    '/account/email/confirm',
    {
      config: codeLimits.verify,
      schema: { ...formSchema('account.enter_email_code', 'the code'), body: ContactCodeForm },
    },
    (request, reply) => confirm(request, reply, 'email', request.body.code),
  );

  app.post(
    '/account/phone/confirm',
    {
      config: codeLimits.verify,
      schema: { ...formSchema('account.enter_phone_code', 'the code'), body: ContactCodeForm },
    },
    (request, reply) => confirm(request, reply, 'phone', request.body.code),
  );
}
