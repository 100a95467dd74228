import type { FastifyInstance } from 'fastify';
import {
  type OperationServices,
  registerOperations,
} from '../../../platform/operations/register.ts';
import { withShortPath } from '../../../platform/operations/short-path.ts';
import {
  backupCodeSignInOperations,
  factorOperations,
  factorStatusOperations,
  type SecondFactorContext,
} from './operations.ts';
import {
  passkeyListOperations,
  passkeyOperations,
  passkeySignInOperations,
} from './passkeys/operations.ts';

const operations = withShortPath([
  ...backupCodeSignInOperations,
  ...passkeySignInOperations,
  ...factorStatusOperations,
  ...passkeyListOperations,
  ...factorOperations,
  ...passkeyOperations,
]);

/** Second factors. Changing them needs a fresh sign-in. */
export function registerSecondFactor(
  app: FastifyInstance,
  services: SecondFactorContext & OperationServices,
): void {
  app.describeTag('second-factor', 'Authenticator apps, passkeys and backup codes.');
  registerOperations(app, services, operations);
}
