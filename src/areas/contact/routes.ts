import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { emailIdentifier } from '../../lib/identifiers.ts';
import type { BrandReader } from '../../platform/brand/brand.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { scriptedPagePolicy } from '../../platform/http/security.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import {
  configurePublicForms,
  HtmlPage,
  jsonOrPage,
  readFormAs,
} from '../../platform/ui/public-forms.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { ContactContext } from './compose.ts';
import { contactFormToJson, enteredTime, enteredValues } from './form-body.ts';
import { bodyLimit, limitSentence, sendErrors, sendLimit } from './operations.ts';
import { contactAgainPage, contactPage, contactPath, fields, sentPage } from './pages.tsx';
import { ContactBody, ContactReceived } from './schemas.ts';
import { texts } from './texts/en.ts';

const tags = ['pages', 'contact'];

const refusals = new Map([
  ['contact.too_many', texts.refused.tooMany],
  ['contact.proof_invalid', texts.refused.proof],
  ['contact.proof_expired', texts.refused.proof],
  ['contact.proof_used', texts.refused.proof],
  ['contact.form_expired', texts.refused.expired],
  ['contact.too_fast', texts.refused.tooFast],
]);

/** The fields with errors. */
function wrongFields(error: Error, email = '') {
  if (!(error instanceof RequestValidationError)) return [];
  return fields.filter(
    (name) =>
      error.details.some(({ loc }) => loc[1] === name) ||
      // The service checks it only once all other fields are right.
      (name === 'email' && emailIdentifier(email) === undefined),
  );
}

/** The page with the contact form. */
export const contactPages: FastifyPluginAsyncZod<
  Pick<ContactContext, 'contact'> & { siteLayout: SiteLayout; brand: BrandReader }
> = async (app, { contact, siteLayout, brand }) => {
  const { show, showOr } = configurePublicForms(app, {
    layout: siteLayout,
    back: { href: contactPath, text: texts.form.back },
    policy: scriptedPagePolicy,
  });

  app.get(
    contactPath,
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'contact.page',
        summary: 'Contact page',
        description: 'A form that works without JavaScript, with a lower limit.',
        tags,
        response: { 200: HtmlPage },
      },
    },
    async (_request, reply) =>
      show(reply, contactPage({ shown: {}, time: contact.issueFormTime() }, brand())),
  );

  /** The form with its text, so that nothing has to be typed twice. */
  function formAgain(error: Error, { body }: FastifyRequest): string | undefined {
    const refused = error instanceof AppError ? refusals.get(error.code) : undefined;
    if (refused === undefined && !(error instanceof RequestValidationError)) return undefined;
    const shown = enteredValues(body);
    const wrong = wrongFields(error, shown.email);
    const time = contact.keepFormTime(enteredTime(body));
    return siteLayout(contactAgainPage({ shown, time, wrong, refused }, brand()));
  }

  app.post(
    contactPath,
    {
      bodyLimit,
      config: { ...sendLimit, formAgain },
      preValidation: readFormAs(contactFormToJson),
      schema: {
        operationId: 'contact.send_form',
        summary: 'Form: send a contact message',
        description:
          'What the form of the contact page sends. `form` must be the value from the page, at ' +
          `least 3 seconds and at most 12 hours old. ${limitSentence}`,
        tags,
        body: ContactBody,
        errors: sendErrors,
        response: { 200: jsonOrPage(ContactReceived) },
      },
    },
    async (request, reply) => {
      const sender = { address: request.ip, principal: undefined };
      const received = await contact.receive(request.body, sender, { isForm: true });
      return showOr(request, reply, sentPage, received);
    },
  );
};
