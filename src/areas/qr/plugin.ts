import type { FastifyInstance } from 'fastify';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { type OperationServices, registerOperations } from '../../platform/operations/register.ts';
import { resourceOperations } from '../../platform/resource/operations.ts';
import { batchOperations } from './batches/operations.ts';
import { statsOperations, targetOperations } from './codes/operations.ts';
import {
  anyPictureOperations,
  logoOperations,
  pictureOperations,
  printOperations,
} from './pictures/operations.ts';
import { type ScanContext, scanRoutes } from './scans/routes.ts';

/** Registers QR codes: the API for admins, and the short links for everybody. */
export function registerQr(app: FastifyInstance, services: ScanContext & OperationServices): void {
  app.describeTag('qr', 'QR codes, their short links and scans.');
  app.describeTag('qr-batches', 'QR codes created from a file.');
  app.describeTag('qr-pictures', 'Pictures of QR codes, label sheets and logos.');
  services.scopes.public(app, (everybody) => {
    refuseRepeatedMembers(everybody);
    everybody.register(scanRoutes, services);
  });
  registerOperations(app, services, [
    ...anyPictureOperations,
    ...resourceOperations(services.qrCodes),
    ...batchOperations,
    ...targetOperations,
    ...pictureOperations,
    ...printOperations,
    ...logoOperations,
    ...statsOperations,
  ]);
}
