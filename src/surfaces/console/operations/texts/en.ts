import { health } from './en/health.ts';
import { cancelJobs, jobs } from './en/jobs.ts';
import { overview } from './en/overview.ts';
import { realtime } from './en/realtime.ts';
import { settings } from './en/settings.ts';

/** Texts of the pages about the operation of the service. */
export const texts = { cancelJobs, health, jobs, overview, realtime, settings };
