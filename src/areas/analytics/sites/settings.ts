import { z } from 'zod';

/** The settings of a site, as stored. */
export const SiteSettings = z.object({
  /** Whether `Sec-GPC: 1` makes events count without recognising the visitor. */
  honour_gpc: z.boolean().default(true),
  /** The same for `DNT: 1`. */
  honour_dnt: z.boolean().default(false),
  /** Hosts whose pages are counted, by name or as `*.example.com`; empty: any host. */
  hosts: z.array(z.string()).default([]),
  /** Rules that reject events. */
  shields: z
    .object({
      /** Addresses, or networks in CIDR notation. */
      ips: z.array(z.string()).default([]),
      /** ISO 3166-1 alpha-2. */
      countries: z.array(z.string()).default([]),
      /** Paths, in which `*` matches any text. */
      pages: z.array(z.string()).default([]),
    })
    .prefault({}),
  /** How many days events are kept; null: forever. */
  retention_days: z.int().nullable().default(null),
  /** IANA name. In which days begin and end in the console. */
  timezone: z.string().default('UTC'),
});
export type SiteSettings = z.output<typeof SiteSettings>;
