import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import type { SettingsContext } from './compose.ts';
import { settingsOperations } from './operations.ts';
import { brandRoutes, type BrandRoutesOptions } from './routes.brand.ts';

/** Settings that admins change while the service runs, and the pictures of the brand. */
export function registerSettings(
  app: FastifyInstance,
  services: OperationServices & SettingsContext & BrandRoutesOptions & { scopes: Scopes },
): void {
  app.describeTag(
    'settings',
    'What admins change while the service runs: the brand, and who may sign up.',
  );
  registerOperations(app, services, settingsOperations);
  app.addHook('onReady', async () => {
    services.currentBrand.start();
    services.currentLive.start();
  });
  app.addHook('onClose', async () => {
    services.currentBrand.stop();
    services.currentLive.stop();
  });
  services.scopes.public(app, (everybody) => {
    everybody.register(brandRoutes, services);
  });
}
