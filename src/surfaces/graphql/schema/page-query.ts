import { z } from 'zod';

/** How many entries a page has, as the lists of the REST API take it. */
export const PageQuery = z.object({ limit: z.int().min(1).max(100).default(20) });
