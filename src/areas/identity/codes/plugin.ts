import type { FastifyInstance } from 'fastify';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import {
  codeAdminOperations,
  codeOperations,
  mobileClientOperations,
  type OtpContext,
} from './operations.ts';

/** One-time codes: sending and verifying them, and reopening them for admins. */
export function registerOtp(app: FastifyInstance, services: OtpContext & OperationServices): void {
  app.describeTag('otp', 'One-time codes by SMS and email.');
  registerOperations(app, services, [
    ...codeOperations,
    ...mobileClientOperations,
    ...codeAdminOperations,
  ]);
}
