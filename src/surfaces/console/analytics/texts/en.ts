import { controls, noSites } from './en/controls.ts';
import { breakdowns, dashboard, definitions } from './en/dashboard.ts';
import { goals } from './en/goals.ts';
import { site } from './en/site.ts';
import { live, retention } from './en/visitors.ts';

/** Texts of the analytics pages. */
export const texts = {
  controls,
  noSites,
  dashboard,
  breakdowns,
  definitions,
  goals,
  live,
  retention,
  site,
};
