import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { emailIdentifier } from '../../lib/identifiers.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { acceptForms } from '../../platform/http/body-parsers.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { isNavigation } from '../../platform/http/requests/request-origin.ts';
import { answerWith, scriptedPagePolicy } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { navigationErrors } from '../../platform/ui/error-pages.tsx';
import { documentErrorPages, sendFormAgain } from '../../platform/ui/page-scope.ts';
import { type SiteLayout, sendPage } from '../../platform/ui/pages.tsx';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import { enteredTime, enteredValues, contactFormToJson } from './form-body.ts';
import { contactAgainPage, contactPage, contactPath, fields, sentPage } from './pages.tsx';
import { contactBodyLimit, contactErrorCodes, contactPostLimit, sentence } from './route-facts.ts';
import { ContactBody, ContactReceived } from './schemas.ts';
import type { Contact } from './service.ts';
import { texts } from './texts/en.ts';

export interface ContactPageOptions {
  contact: Contact;
  siteLayout: SiteLayout;
}

const tags = ['pages', 'contact'];
const HtmlText = { 'text/html': { schema: z.string() } };

function formRoute(app: ZodApp, { contact, siteLayout }: ContactPageOptions): void {
  app.get(
    contactPath,
    {
      config: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'contact.page',
        summary: 'Contact page',
        description: 'A form that works without JavaScript, with a lower limit.',
        tags,
        response: { 200: { content: HtmlText } },
      },
    },
    async (_request, reply) =>
      sendPage(reply, siteLayout(contactPage({ shown: {}, time: contact.issueFormTime() }))),
  );
}

function sendRoute(app: ZodApp, { contact, siteLayout }: ContactPageOptions): void {
  app.post(
    contactPath,
    {
      bodyLimit: contactBodyLimit,
      config: contactPostLimit,
      preValidation: (request, _reply, done) => {
        Reflect.set(request, 'body', contactFormToJson(request.body));
        done();
      },
      schema: {
        operationId: 'contact.send_form',
        summary: 'Send the contact form',
        description:
          'What the form of the contact page sends. `form` must be the value from the page, at ' +
          `least 3 seconds and at most 12 hours old. ${sentence}`,
        tags,
        body: ContactBody,
        errors: [...contactErrorCodes],
        response: {
          200: { content: { 'application/json': { schema: ContactReceived }, ...HtmlText } },
        },
      },
    },
    async (request, reply) => {
      const sender = { address: request.ip, principal: undefined };
      const received = await contact.receive(request.body, sender, { isForm: true });
      return isNavigation(request, reply)
        ? sendPage(reply, siteLayout(sentPage))
        : reply.send(received);
    },
  );
}

const refusals = new Map([
  ['contact.too_many', texts.refused.tooMany],
  ['contact.proof_invalid', texts.refused.proof],
  ['contact.proof_expired', texts.refused.proof],
  ['contact.proof_used', texts.refused.proof],
  ['contact.form_expired', texts.refused.expired],
  ['contact.too_fast', texts.refused.tooFast],
]);

/** Shows the form again with its text, so that nothing has to be typed twice. */
function showErrors(app: ZodApp, { contact, siteLayout }: ContactPageOptions): void {
  const showError = navigationErrors({
    layout: siteLayout,
    back: { href: contactPath, text: texts.form.back },
    placeOf: () => undefined,
  });

  function pageAgain(error: Error, request: FastifyRequest): string {
    const shown = enteredValues(request.body);
    const wrong =
      error instanceof RequestValidationError
        ? fields.filter(
            (name) =>
              error.details.some(({ loc }) => loc[1] === name) ||
              // The service checks it only once all other fields are right.
              (name === 'email' && emailIdentifier(shown.email ?? '') === undefined),
          )
        : [];
    const refused = error instanceof AppError ? refusals.get(error.code) : undefined;
    const time = contact.keepFormTime(enteredTime(request.body));
    return siteLayout(contactAgainPage({ shown, time, wrong, refused }));
  }

  app.setErrorHandler<Error>((error, request, reply: FastifyReply) => {
    const isForm = request.routeOptions.schema?.operationId === 'contact.send_form';
    if (isForm && error instanceof RequestValidationError) {
      void sendFormAgain(error, request, reply, () => pageAgain(error, request));
      return;
    }
    const isRefusal = error instanceof AppError && refusals.has(error.code);
    if (!isForm || !isRefusal || !isNavigation(request, reply)) {
      showError(error, request, reply);
      return;
    }
    void sendPage(reply.code(error.status).headers(error.headers), pageAgain(error, request));
  });
}

/** The page with the contact form. */
export const contactPageRoutes: FastifyPluginAsyncZod<ContactPageOptions> = async (
  app,
  options,
) => {
  answerWith(app, {
    'content-security-policy': scriptedPagePolicy,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  acceptForms(app);
  documentErrorPages(app, 'for browsers');
  showErrors(app, options);
  formRoute(app, options);
  sendRoute(app, options);
};
