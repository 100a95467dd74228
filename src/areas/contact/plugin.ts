import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import { type ContactPageOptions, contactPageRoutes } from './routes.page.ts';
import { contactRoutes } from './routes.ts';
import { type ThreadRoutesOptions, threadRoutes } from './routes.threads.ts';

interface ContactOptions extends ContactPageOptions, ThreadRoutesOptions, OperationServices {
  contactMessages: BoundResource;
  savedReplies: BoundResource;
}

/** The contact form for everybody, and its inbox for admins. */
export function registerContact(app: FastifyInstance, options: ContactOptions): void {
  const { scopes, contact, siteLayout, contactMessages, savedReplies, contactThreads } = options;
  app.describeTag('contact', 'The contact form, its inbox, replies and saved replies.');
  scopes.forms(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(contactPageRoutes, { contact, siteLayout });
  });
  scopes.identified(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    scopes.acceptIdempotencyKeys(everybody);
    everybody.register(contactRoutes, { contact });
  });
  registerOperations(app, options, [
    ...resourceOperations(contactMessages),
    ...resourceOperations(savedReplies),
  ]);
  scopes.withScope('admin', app, (admins) => {
    admins.register(threadRoutes, { contactThreads });
  });
}
