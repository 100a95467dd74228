import type { FastifyInstance } from 'fastify';
import type { BrandReader } from '../../platform/brand/brand.ts';
import { acceptForms, refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import type { ContactContext } from './compose.ts';
import { sendOperations, threadOperations } from './operations.ts';
import { contactPages } from './routes.ts';

/** The contact form for everybody, and its inbox for admins. */
export function registerContact(
  app: FastifyInstance,
  services: ContactContext & OperationServices & { siteLayout: SiteLayout; brand: BrandReader },
): void {
  app.describeTag('contact', 'The contact form, its inbox, replies and saved replies.');
  services.scopes.forms(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(contactPages, services);
  });
  app.register(async (senders) => {
    acceptForms(senders);
    registerOperations(senders, services, sendOperations);
  });
  registerOperations(app, services, [
    ...resourceOperations(services.contactMessages),
    ...resourceOperations(services.savedReplies),
    ...threadOperations,
  ]);
}
