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
  app.describeTag('settings', 'The brand: name, logo, color, addresses and footer.');
  registerOperations(app, services, settingsOperations);
  app.addHook('onReady', async () => services.currentBrand.start());
  app.addHook('onClose', async () => services.currentBrand.stop());
  services.scopes.public(app, (everybody) => {
    everybody.register(brandRoutes, services);
  });
}
