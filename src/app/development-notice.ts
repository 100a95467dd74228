import type { Config } from '../config.ts';
import type { Development } from '../platform/http/development.ts';

interface Conveniences {
  /** True when sign-in without a proof is possible. */
  hasBypass: boolean;
  /** Names of the channels kept in the outbox, such as `SMS`. */
  kept: readonly string[];
}

/** Returns the start-up notice about development conveniences; undefined in production. */
export function developmentNotice(
  { NODE_ENV }: Pick<Config, 'NODE_ENV'>,
  { isOn, obstacle }: Development,
  { hasBypass, kept }: Conveniences,
): string | undefined {
  if (NODE_ENV === 'production') return undefined;
  if (!isOn)
    return (
      `Development conveniences are off: ${obstacle}. ` +
      'Set NODE_ENV=production if others use this service.'
    );
  const on = [
    ...(hasBypass ? ['anyone can sign in without a code at /api/auth/dev/bypass/{email}'] : []),
    ...(kept.length > 0
      ? [`${kept.join(' and ')} are kept at /dev/outbox instead of being sent`]
      : []),
  ];
  if (on.length === 0)
    return 'No development conveniences are on, because sign-in and messages have providers.';
  return (
    `Development conveniences are on, for requests from this machine only: ${on.join('; ')}. ` +
    'NODE_ENV=production turns them off.'
  );
}
