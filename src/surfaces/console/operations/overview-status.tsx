import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import type { StatusState } from '../../../areas/status/model.ts';
import type { Tone } from '../../../platform/ui/components/badge.tsx';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import { indicatorTones } from '../menu-marks.ts';
import { sectionPath } from '../sections.ts';
import { incidentPath, statusName } from '../status/labels.tsx';
import { texts as statusTexts } from '../status/texts/en.ts';
import { texts } from './texts/en.ts';

const words = texts.overview.status;

const icons: Readonly<Record<Tone, IconName>> = {
  ok: 'success',
  warn: 'alert',
  bad: 'error',
  info: 'info',
  neutral: 'info',
};

/** What is open or announced, one line each: incidents, then maintenance, then ill components. */
function notes({ incidents, maintenances, components }: StatusState): Html[] {
  const open = incidents.map(({ id, name, status, updatedAt }) =>
    rich(words.incident({ status: statusName(status) }), {
      name: () => <a href={incidentPath(id)}>{escapeHtml(name)}</a>,
      time: () => <Time at={updatedAt} />,
    }),
  );
  const planned = maintenances.slice(0, 2).map(({ id, name, status, scheduledFor }) =>
    rich(status === 'scheduled' ? words.maintenance : words.maintenanceNow, {
      name: () => <a href={incidentPath(id)}>{escapeHtml(name)}</a>,
      time: () => <OptionalTime at={scheduledFor} />,
    }),
  );
  const ill = components
    .filter(({ status }) => status !== 'operational')
    .map(({ name, status }) => escapeHtml(words.component({ name, status: statusName(status) })));
  return [...open, ...ill, ...planned];
}

/** The state of the service in its colour, with open incidents and announced maintenance. */
export function statusStrip(state: StatusState): Html {
  const { indicator, components } = state;
  const tone = indicatorTones[indicator];
  const lines = notes(state);
  return (
    <section class={`status-strip status-strip-${tone}`} id="state" data-live>
      <Icon name={icons[tone]} />
      <div class="status-strip-text">
        <h2 safe>{statusTexts.overall[indicator]}</h2>
        {lines.length === 0 ? (
          <p safe>{words.allGood({ count: components.length })}</p>
        ) : (
          lines.map((line) => <p>{line}</p>)
        )}
      </div>
      <a href={sectionPath('status')} safe>
        {words.link}
      </a>
    </section>
  );
}
