import type { FastifyInstance } from 'fastify';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { type AuthContext, sessionOperations } from './operations.ts';

/** Sessions and tokens. */
export function registerAuth(
  app: FastifyInstance,
  services: AuthContext & OperationServices,
): void {
  app.describeTag('auth', 'Sign-in, sessions and tokens.');
  registerOperations(app, services, sessionOperations);
}
