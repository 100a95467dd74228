import type { FastifyInstance } from 'fastify';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { type AccountContext, accountOperations } from './operations.ts';

/** The own account: profile, picture, addresses, data and deletion. Pictures are public. */
export function registerOwnAccount(
  app: FastifyInstance,
  services: AccountContext & OperationServices,
): void {
  app.describeTag('account', 'Your own account: profile, picture, addresses, data, deletion.');
  registerOperations(app, services, accountOperations);
}
