import type { JobListQuery } from '../../../areas/jobs/schemas.ts';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';

/** The shown list, as in the page's query. */
export type JobsQuery = Pick<JobListQuery, 'state' | 'name' | 'cursor'>;

/** The URL of a list of jobs. */
export const jobsUrl = ({ state, name, cursor }: JobsQuery): string =>
  withQuery(sectionPath('jobs'), { state, name, cursor });
