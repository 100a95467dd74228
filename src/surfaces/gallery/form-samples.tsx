import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { Badge } from '../../platform/ui/components/badge.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import {
  CheckField,
  CodeField,
  Field,
  Form,
  LinesField,
  SelectField,
  TextField,
} from '../../platform/ui/components/form.tsx';
import { Copy, Dialog, Disclosure, Menu } from '../../platform/ui/components/overlay.tsx';
import { BarList, Facts } from '../../platform/ui/components/table.tsx';
import { Time } from '../../platform/ui/time.tsx';
import { formatNumber } from '../../platform/i18n/numbers.ts';

export const overlaySamples = (): Html => (
  <div class="btn-row">
    <Menu
      id="sample-menu"
      label="More actions"
      items={[<a href="#overlays">Rename</a>, <button type="button">Delete site</button>]}
    />
    <Dialog id="sample-dialog" title="Revoke key?" open="Revoke key" close="Close">
      <p>Apps that use this key lose access immediately.</p>
      <Button label="Revoke key" kind="danger" type="button" />
    </Dialog>
    <Disclosure summary="Advanced settings">
      <p>Settings that most people never change.</p>
    </Disclosure>
  </div>
);

export const formSamples = (path: string): Html => (
  <Form action={path} method="get" submit={{ label: 'Save changes' }}>
    <Field id="sample-name" label="Name" hint="Shown to people you invite." value="Ada Lovelace" />
    <Field
      id="sample-email"
      label="Email"
      type="email"
      value="ada"
      error="Enter an address with an @, such as ada@example.com."
    />
    <SelectField
      id="sample-role"
      label="Role"
      value="viewer"
      options={[
        ['admin', 'Admin'],
        ['viewer', 'Viewer'],
      ]}
    />
    <TextField id="sample-note" label="Note" rows={3} />
    <LinesField id="sample-hosts" label="Allowed hosts" values={['shop.example', 'blog.example']} />
    <CodeField id="sample-code" label="Code" hint="The six digits from your authenticator app." />
    <CheckField
      id="sample-notify"
      label="Notify subscribers"
      hint="Sends one email to each of them."
      isChecked
    />
  </Form>
);

const sources = [
  ['Google', 3005, '29%'],
  ['Direct', 2410, '23%'],
  ['news.example', 960, '9%'],
] as const;

export const tableSamples = (): Html => (
  <>
    <BarList
      caption="Sources"
      columns={['Source', 'Visitors', 'Share']}
      bars={sources.map(([text, value, share]) => ({
        text,
        value,
        cells: [escapeHtml(formatNumber(value)), escapeHtml(share)],
        href: '#tables',
      }))}
      empty={<p>No devices yet. A device appears here after its first sign-in.</p>}
    />
    <Facts
      facts={[
        { name: 'Account', value: escapeHtml('ada@example.com') },
        { name: 'Created', value: <Time at={Date.UTC(2026, 10, 24, 9, 30)} /> },
        { name: 'Plan', value: <Badge text="Active" tone="ok" /> },
      ]}
    />
    <Copy label="Example request" text="curl -s https://app.example.com/api/health/ready" />
  </>
);
