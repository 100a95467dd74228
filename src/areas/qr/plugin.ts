import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import { batchRoutes, type BatchRoutesOptions } from './batches/routes.batches.ts';
import { statsRoutes, type StatsRoutesOptions } from './codes/routes.stats.ts';
import { targetRoutes, type TargetRoutesOptions } from './codes/routes.targets.ts';
import { logoRoutes, type LogoRoutesOptions } from './pictures/routes.logos.ts';
import {
  anyPictureRoutes,
  pictureRoutes,
  type PictureRoutesOptions,
} from './pictures/routes.pictures.ts';
import { printRoutes, type PrintRoutesOptions } from './pictures/routes.prints.ts';
import { scanRoutes, type ScanRoutesOptions } from './scans/routes.scan.ts';

type QrServices = LogoRoutesOptions &
  PictureRoutesOptions &
  PrintRoutesOptions &
  Omit<ScanRoutesOptions, 'layout'> &
  BatchRoutesOptions &
  TargetRoutesOptions &
  StatsRoutesOptions &
  OperationServices & {
    siteLayout: ScanRoutesOptions['layout'];
    qrCodes: BoundResource;
  };

/** Registers QR codes: the API for admins, and the short links for everybody. */
export function registerQr(app: FastifyInstance, services: QrServices): void {
  app.describeTag('qr', 'QR codes, their short links and scans.');
  app.describeTag('qr-batches', 'QR codes created from a file.');
  app.describeTag('qr-pictures', 'Pictures of QR codes, label sheets and logos.');
  const { scopes, qrCodes, siteLayout } = services;
  scopes.public(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(scanRoutes, { ...services, layout: siteLayout });
  });
  scopes.identified(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(anyPictureRoutes, services);
  });
  registerOperations(app, services, resourceOperations(qrCodes));
  scopes.withScope('admin', app, (admins) => {
    admins.register(batchRoutes, services);
    admins.register(targetRoutes, services);
    admins.register(pictureRoutes, services);
    admins.register(printRoutes, services);
    admins.register(logoRoutes, services);
    admins.register(statsRoutes, services);
  });
}
