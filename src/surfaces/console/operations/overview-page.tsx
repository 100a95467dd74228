import type { Html } from '../../../lib/text/html.ts';
import type { AuditEventView } from '../../../areas/audit/schemas.ts';
import type { StatusState } from '../../../areas/status/model.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { textLink } from '../components/navigation.tsx';
import type { ConsolePage } from '../layout.tsx';
import { ActivityList, entryPath } from '../people/audit/activity.tsx';
import type { Subjects } from '../people/audit/subjects.ts';
import { sectionPath } from '../sections.ts';
import type { Viewer } from '../viewer.ts';
import type { Waiting } from '../waiting.ts';
import { firstSteps, type SiteDay, sitesPanel } from './overview-sites.tsx';
import { statusStrip } from './overview-status.tsx';
import { waitingPanel } from './overview-waiting.tsx';
import { texts } from './texts/en.ts';

/** What people did lately. */
export interface Lately {
  /** Newest first. */
  entries: readonly AuditEventView[];
  subjects: Subjects;
}

export interface OverviewView {
  status: StatusState;
  /** Busiest first. */
  sites: readonly SiteDay[];
  /** Number of sites that are not shown. */
  quietSites: number;
  /** Only for admins, like `lately`. */
  waiting: Waiting | undefined;
  lately: Lately | undefined;
  /** The public URL of the service, for example calls. */
  baseUrl: string;
  /** Unix ms. */
  now: number;
}

const words = texts.overview;

function latelyPanel({ entries, subjects }: Lately, now: number): Html {
  return (
    <Card
      id="latest"
      title={words.lately.title}
      isLive
      actions={textLink(sectionPath('audit'), words.lately.all)}
    >
      {entries.length === 0 ? (
        <EmptyState icon="list" text={words.lately.none} />
      ) : (
        <ActivityList
          entries={entries}
          subjects={subjects}
          detailsPath={entryPath}
          now={now}
          isFolded
        />
      )}
    </Card>
  );
}

/** The overview: the state of the service, what waits, the sites, and what happened lately. */
export function overviewPage(view: OverviewView, viewer: Viewer): ConsolePage {
  const { status, sites, quietSites, waiting, lately, baseUrl, now } = view;
  const isNew = sites.length + quietSites === 0;
  return {
    section: 'overview',
    title: words.title,
    body: (
      <>
        {statusStrip(status)}
        {isNew && firstSteps(baseUrl, viewer.isAdmin)}
        <div class="columns">
          <div>
            {waiting && waitingPanel(waiting, now)}
            {!isNew && sitesPanel(sites, quietSites)}
          </div>
          {lately && latelyPanel(lately, now)}
        </div>
      </>
    ),
    every: 10,
    channels: [
      'status',
      ...sites.map(({ site_id: site }) => `analytics:${site}`),
      ...(viewer.isAdmin ? ['devices', 'jobs'] : []),
    ],
  };
}
