import type { FastifyReply } from 'fastify';
import type { Identifier } from '../../lib/identifiers.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { isMalformedCode } from '../../areas/identity/entered-codes.ts';
import { sendFormAgain } from '../../platform/ui/page-scope.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import { readEmail, readPhone } from '../../areas/identity/account/contact/read-contact.ts';
import { changeContactPage, contactCodePage, type ContactKind } from './contact-pages.tsx';
import { ContactCodeForm, EmailForm, PhoneForm } from './schemas.ts';
import { type AccountContext, form, page, redirectDone, type Visit } from './routes.visits.ts';

const codeOf = (error: unknown): string | undefined =>
  error instanceof AppError ? error.code : undefined;

async function sendCode(
  { account, ownAccount, layout }: AccountContext,
  { session, from, request, reply, send }: Visit,
  kind: ContactKind,
  text: string,
  read: (text: string) => Identifier | Promise<Identifier>,
): Promise<FastifyReply> {
  try {
    const identifier = await read(text);
    await ownAccount.contacts.start(session, identifier, from);
    return await send(contactCodePage(await account.view(session), kind, identifier.value));
  } catch (error) {
    if (!(error instanceof RequestValidationError)) throw error;
    const view = await account.view(session);
    const shown = () => layout(changeContactPage(view, kind, text, 'invalid'));
    return sendFormAgain(error, request, reply, shown);
  }
}

/**
 * Pages that ask for a new address or number, and forms that send a code to it. In the fresh
 * scope: people sign in first.
 */
export const contactRoutes = [
  page({
    path: '/account/email',
    id: 'account.email_page',
    summary: 'Page to change your email address',
    contents: 'A form for the new address, which gets a code.',
    show: async ({ account }, { session }) =>
      changeContactPage(await account.view(session), 'email'),
  }),
  page({
    path: '/account/phone',
    id: 'account.phone_page',
    summary: 'Page to change your phone number',
    contents: 'A form for the new number, which gets a code.',
    show: async ({ account }, { session }) =>
      changeContactPage(await account.view(session), 'phone'),
  }),
  form({
    path: '/account/email',
    id: 'account.send_email_code',
    summary: 'a new address',
    limit: codeLimits.send,
    body: EmailForm,
    run: (context, visit) => sendCode(context, visit, 'email', visit.body.email, readEmail),
  }),
  form({
    path: '/account/phone',
    id: 'account.send_phone_code',
    summary: 'a new number',
    limit: codeLimits.send,
    body: PhoneForm,
    run: (context, visit) =>
      sendCode(context, visit, 'phone', visit.body.phone, (text) => readPhone(text, undefined)),
  }),
];

async function confirm(
  { account, ownAccount }: AccountContext,
  { session, from, body, reply, send }: Visit<ContactCodeForm>,
  kind: ContactKind,
): Promise<FastifyReply> {
  try {
    await ownAccount.contacts.confirm(session, kind, body.code, from);
    return await redirectDone(reply, `${kind}_changed`);
  } catch (error) {
    if (codeOf(error) === 'account.contact_taken')
      return send(changeContactPage(await account.view(session), kind, '', 'taken'), 409);
    const isMalformed = isMalformedCode(error);
    if (!isMalformed && codeOf(error) !== 'otp.invalid') throw error;
    const to = await ownAccount.contacts.pendingOf(session, kind);
    const view = await account.view(session);
    const shown = contactCodePage(view, kind, to, isMalformed ? 'malformed' : 'wrong');
    return send(shown, isMalformed ? 422 : 400);
  }
}

/** Forms for the code. Not in the fresh scope: it may arrive after five minutes have passed. */
export const confirmContactForms = [
  form({
    path: '/account/email/confirm',
    id: 'account.enter_email_code',
    summary: 'the code',
    limit: codeLimits.verify,
    body: ContactCodeForm,
    run: (context, visit) => confirm(context, visit, 'email'),
  }),
  form({
    path: '/account/phone/confirm',
    id: 'account.enter_phone_code',
    summary: 'the code',
    limit: codeLimits.verify,
    body: ContactCodeForm,
    run: (context, visit) => confirm(context, visit, 'phone'),
  }),
];
