import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { acceptForms } from '../../platform/http/body-parsers.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { contactFormToJson } from './form-body.ts';
import { contactBodyLimit, contactErrorCodes, contactPostLimit, sentence } from './route-facts.ts';
import { ContactBody, ContactChallenge, ContactReceived } from './schemas.ts';
import type { Contact } from './service.ts';

export interface ContactRoutesOptions {
  contact: Contact;
}

const tags = ['contact'];

function challengeRoute(app: ZodApp, { contact }: ContactRoutesOptions): void {
  app.get(
    '/api/v1/contact/challenge',
    {
      config: { rateLimit: limit({ max: 60, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'contact.challenge',
        summary: 'Get a challenge',
        description:
          'A proof-of-work challenge (ALTCHA version 2), valid for 10 minutes and one message. ' +
          'A phone solves it in about a second.',
        tags,
        response: { 200: ContactChallenge },
      },
    },
    () => contact.challenge(),
  );
}

function sendRoute(app: ZodApp, { contact }: ContactRoutesOptions): void {
  app.post(
    '/api/v1/contact',
    {
      bodyLimit: contactBodyLimit,
      config: contactPostLimit,
      preValidation: (request, _reply, done) => {
        if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
          Reflect.set(request, 'body', contactFormToJson(request.body));
        done();
      },
      schema: {
        operationId: 'contact.send',
        summary: 'Send a message',
        description:
          'Accepts JSON or form data. Without `altcha`, or an API key with the scope ' +
          `\`analytics:read\` or \`admin\`, far fewer messages are accepted. ${sentence}`,
        tags,
        body: ContactBody,
        errors: [...contactErrorCodes],
        response: { 200: ContactReceived },
      },
    },
    ({ body, ip, principal }) => contact.receive(body, { address: ip, principal }),
  );
}

/** Sending messages, for programs and pages of other sites. */
export const contactRoutes: FastifyPluginAsyncZod<ContactRoutesOptions> = async (app, options) => {
  noStore(app);
  acceptForms(app);
  challengeRoute(app, options);
  sendRoute(app, options);
};
