import { z } from 'zod';
import { limit } from '../../platform/http/limits/rate-limit.ts';

export const tags = ['waitlist'];
export const bodyLimit = 16 * 1024;

/** The limits of the public routes, for one client. */
export const limits = {
  join: { rateLimit: limit({ max: 10, seconds: 600, group: 'waitlist' }) },
  verify: { rateLimit: limit({ max: 60, seconds: 300, group: 'waitlist-verify' }) },
  read: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'waitlist-read' }) },
  // Leaving must work even while Redis is unavailable.
  leave: { rateLimit: limit({ max: 120, seconds: 60, failOpen: true, group: 'waitlist-leave' }) },
};

export const orPage = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema }, 'text/html': { schema: z.string() } },
});
export const page = { 200: { content: { 'text/html': { schema: z.string() } } } };
