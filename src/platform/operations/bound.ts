import type { Clock } from '../../lib/clock.ts';
import type { Surface } from '../../lib/surfaces.ts';
import type { RequestActor } from '../http/requests/request-actor.ts';
import { requireFresh } from '../identity/freshness.ts';
import type { Call } from './call.ts';
import { readInput } from './input.ts';
import type { Operation } from './operation.ts';

/** An operation with its context: what surfaces other than REST are made from. */
export interface BoundOperation {
  operation: Operation<never>;
  /** Its name on all of them, in snake_case: `approve_entry`. */
  name: string;
  /** Throws `auth.step_up_required` if it needs a fresher sign-in. Called before input is read. */
  admit: (by: RequestActor) => void;
  /** Reads `values` as its input, and runs it. Throws RequestValidationError. */
  run: (values: Readonly<Record<string, unknown>>, call: Call) => unknown;
}

const nameOf = ({ name, id }: Operation<never>): string => name ?? id.slice(id.indexOf('.') + 1);

/** Binds the operations that other surfaces carry to the services of their areas. */
export const bindOperations = <Context>(
  context: Context & { clock: Clock },
  operations: readonly Operation<Context>[],
): BoundOperation[] =>
  operations
    .filter(({ on = [] }) => on.length > 0)
    .map((operation) => ({
      operation,
      name: nameOf(operation),
      admit(by) {
        if (operation.needsFreshSignIn === true) requireFresh(by, context.clock.now());
      },
      run: (values, call) => operation.run(context, readInput(operation, values), call),
    }));

/** The operations that a surface carries. */
export const operationsFor = (
  surface: Surface,
  operations: readonly BoundOperation[],
): BoundOperation[] => operations.filter(({ operation: { on = [] } }) => on.includes(surface));
