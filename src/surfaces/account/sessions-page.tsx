import { countryName } from '../../lib/places/country-names.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import type { SessionRecord } from '../../areas/identity/sessions/records.ts';
import { Badge } from '../../platform/ui/components/badge.tsx';
import { Card } from '../../platform/ui/components/card.tsx';
import { BrandMark } from '../../platform/ui/components/marks.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { AccountView } from './account.ts';
import { buttonForm } from './fields.tsx';
import { framed } from './framed.tsx';
import { Row, Rows } from './rows.tsx';
import { texts } from './texts/en.ts';

const { sessions: words } = texts;

/** The browser of `Firefox on macOS`. */
const browserOf = (client: string): string => client.split(' on ', 1).join('');

function sessionRow(session: SessionRecord, view: AccountView): Html {
  const { id, client, device, used_at: usedAt, created_at: createdAt } = session;
  const isCurrent = id === view.session.id;
  const country = device && view.countries.get(device.id);
  const times = { used: () => <Time at={usedAt} />, started: () => <Time at={createdAt} /> };
  return (
    <Row
      id={`session-${id}`}
      mark={<BrandMark name={browserOf(client)} />}
      name={client}
      state={isCurrent ? <Badge text={words.current} tone="info" /> : undefined}
      details={
        <>
          {country !== undefined && escapeHtml(`${countryName(country) ?? country} · `)}
          {rich(isCurrent ? words.signedIn : words.lastActive, times)}
        </>
      }
      actions={
        isCurrent
          ? undefined
          : buttonForm('/account/sessions/end', words.end, {
              values: { id },
              about: `session-${id}`,
              isQuiet: true,
            })
      }
    />
  );
}

/** The page of the person's sessions: this one first. `done` selects the notice at the top. */
export function sessionsPage(view: AccountView, done?: string): Page {
  const { session, sessions: all } = view;
  const [current, others] = [true, false].map((isCurrent) =>
    all.filter(({ id }) => (id === session.id) === isCurrent),
  );
  const ordered = [...(current ?? []), ...(others ?? [])];
  return framed(view, 'sessions', done, {
    title: words.title,
    body: (
      <Card
        id="sessions"
        title={words.where}
        hint={words.hint}
        actions={
          all.length > 1
            ? buttonForm('/account/sessions/end-others', words.endOthers, { isQuiet: true })
            : undefined
        }
      >
        <Rows>{ordered.map((each) => sessionRow(each, view))}</Rows>
      </Card>
    ),
  });
}
