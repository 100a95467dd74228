import type { FormerTargetView } from '../../../../areas/qr/codes/schemas.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatDateTime } from '../../../../platform/i18n/dates.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ActionButton, ConsoleForm } from '../../components/console-form.tsx';
import { ruleFields, ruleName } from '../contents/rule-fields.tsx';
import { codePath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import type { TargetsView } from './code-view.ts';

const words = texts.targets;
const spareRules = 1;

const rulesCard = ({ code: { id, rules } }: TargetsView): Html => (
  <Card id="rules" title={words.rules} hint={texts.rules.hint}>
    <ConsoleForm
      action={codePath(id, 'targets')}
      submit={{ label: words.saveRules, kind: 'secondary' }}
    >
      {ruleFields(rules, spareRules)}
    </ConsoleForm>
  </Card>
);

/** When the code works, in sentences. */
function scheduleLines({ code }: TargetsView): string[] {
  const { starts_at: starts, expires_at: expires, expired_url: after, scan_limit: most } = code;
  const lines = [
    starts === null ? undefined : words.starts({ at: formatDateTime(starts) }),
    expires === null ? undefined : words.ends({ at: formatDateTime(expires) }),
    most === null
      ? undefined
      : words.limit({ used: formatNumber(code.scans_used), most: formatNumber(most) }),
    (expires ?? most) === null
      ? undefined
      : after === null
        ? words.afterNothing
        : words.after({ url: readableUrl(after) }),
  ].filter((line) => line !== undefined);
  return lines.length === 0 ? [words.always] : lines;
}

const scheduleCard = (view: TargetsView): Html => (
  <Card
    id="schedule"
    title={words.schedule}
    actions={<Button label={words.change} size="small" href={codePath(view.code.id, 'settings')} />}
  >
    {scheduleLines(view).map((line) => (
      <p>{escapeHtml(line)}</p>
    ))}
  </Card>
);

const formerColumns = ({ code: { id } }: TargetsView): readonly Column<FormerTargetView>[] => [
  {
    title: words.former.columns.url,
    cell: ({ url, rules }) => (
      <>
        {escapeHtml(readableUrl(url))}
        {rules.length > 0 && (
          <span class="hint">
            {escapeHtml(words.former.rules({ rules: rules.map(ruleName).join('; ') }))}
          </span>
        )}
      </>
    ),
  },
  {
    title: words.former.columns.replaced,
    cell: ({ replaced_at: at }) => <Time at={at} />,
    isMinor: true,
  },
  {
    title: words.former.columns.restore,
    isTitleHidden: true,
    isNumber: true,
    cell: (target) => (
      <ActionButton
        action={`${codePath(id)}/restore`}
        label={words.former.restore}
        values={{ target_id: target.id, tab: 'targets' }}
      />
    ),
  },
];

/** Where a code leads: rules, schedule, and the targets that it had. */
export const targetsTab = (view: TargetsView): Html => (
  <>
    {rulesCard(view)}
    {scheduleCard(view)}
    <Card id="targets" title={words.former.title}>
      <Table
        caption={words.former.caption}
        columns={formerColumns(view)}
        rows={view.former}
        rowId={({ id }) => `target-${id}`}
        empty={<EmptyState icon="clock" text={words.former.none} />}
      />
    </Card>
  </>
);
