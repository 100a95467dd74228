import type { World } from './world.ts';

/**
 * What a request gets while a store is away: its usual response, or 503 with Retry-After. A refused
 * request has changed nothing, unless repeating it completes a change that takes effect in both
 * stores.
 */
export type Outcome = 'works' | 'is refused' | 'is completed by repeating it';

/** What a request gets by the store that is away. */
export interface Promised {
  redis: Outcome;
  postgres: Outcome;
}

/** Needs no store, or remembers what it needs. */
export const neither: Promised = { redis: 'works', postgres: 'works' };
export const needsRedis: Promised = { redis: 'is refused', postgres: 'works' };
export const needsPostgres: Promised = { redis: 'works', postgres: 'is refused' };
export const needsBoth: Promised = { redis: 'is refused', postgres: 'is refused' };
/** Changes a person, and tells their sessions. */
export const tellsSessions: Promised = {
  redis: 'is completed by repeating it',
  postgres: 'is refused',
};

/** A valid request. Without `headers` it comes from nobody in particular. */
export interface Sent {
  headers?: Record<string, string>;
  /** Parameters of the path. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object | string | Buffer;
  /** The fields of a form that a browser sends, instead of a body. */
  form?: Record<string, string>;
  /** Is also sent while both stores are there, so that the service may remember what it needs. */
  isSentBefore?: boolean;
}

export interface Row {
  operation: string;
  /** Tells the rows of one operation apart. */
  about: string;
  promised: Promised;
  /** Makes the records that the request needs, and the request. */
  request: (world: World) => Sent | Promise<Sent>;
  /** Its status while both stores are there. */
  usual: number;
  /** The status of repeating it once the store is back, after it was refused. */
  repeated: number;
}

interface RowOptions {
  about?: string;
  usual?: number;
  repeated?: number;
}

/** A row of the table. `usual` is 200 unless it is given. */
export const row = (
  operation: string,
  promised: Promised,
  request: Row['request'],
  { about = '', usual = 200, repeated = usual }: RowOptions = {},
): Row => ({ operation, about, promised, request, usual, repeated });

export const nameOf = ({ operation, about }: Row): string =>
  about === '' ? operation : `${operation} ${about}`;
