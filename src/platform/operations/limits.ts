import { type Limit, limit, type StatedOptions } from '../http/limits/rate-limit.ts';

/** The rate limit of an operation, as the configuration of its route. */
export interface OperationLimit {
  rateLimit?: StatedOptions;
}

/** A limit of one client: `limited({ max: 30, seconds: 300 })`. */
export const limited = (options: Limit): OperationLimit => ({ rateLimit: limit(options) });

/** The limit of most operations: 120 calls a minute, even while Redis is away. */
export const usualLimit = limited({ max: 120, seconds: 60, failOpen: true });

/** No limit: for calls that cost little, and whose refusal would lock people out. */
export const unlimited: OperationLimit = {};
