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
import { Copy, Dialog, Disclosure, Drawer, Menu } from '../../platform/ui/components/overlay.tsx';
import { BarList, Facts } from '../../platform/ui/components/table.tsx';
import { Time } from '../../platform/ui/time.tsx';
import { formatNumber } from '../../platform/i18n/numbers.ts';
import { texts } from './texts/en.ts';

const t = texts.samples;

export const overlaySamples = (): Html => (
  <div class="btn-row">
    <Menu
      id="sample-menu"
      label={t.menu}
      items={[
        <a href="#overlays" safe>
          {t.rename}
        </a>,
        <button type="button" safe>
          {t.deleteSite}
        </button>,
      ]}
    />
    <Dialog id="sample-dialog" title={t.dialogTitle} open={t.openDialog} close={t.close}>
      <p safe>{t.dialogText}</p>
      <Button label={t.openDialog} kind="danger" type="button" />
    </Dialog>
    <Drawer id="sample-drawer" title={t.drawerTitle} open={t.openDrawer} close={t.close}>
      <Facts
        facts={[
          { name: t.account, value: escapeHtml(t.address) },
          { name: t.country, value: escapeHtml(t.germany) },
        ]}
      />
    </Drawer>
    <Disclosure summary={t.disclosure}>
      <p safe>{t.disclosed}</p>
    </Disclosure>
    <Disclosure summary={t.deleteSite} kind="danger">
      <p safe>{t.deleteWarning}</p>
    </Disclosure>
  </div>
);

export const formSamples = (path: string): Html => (
  <Form action={path} method="get" submit={{ label: t.save }}>
    <Field id="sample-name" label={t.name} hint={t.nameHint} value="Ada Lovelace" />
    <Field id="sample-email" label={t.email} type="email" value="ada" error={t.emailError} />
    <SelectField
      id="sample-role"
      label={t.role}
      value="viewer"
      options={[
        ['admin', t.admin],
        ['viewer', t.viewer],
      ]}
    />
    <TextField id="sample-note" label={t.note} rows={3} />
    <LinesField id="sample-hosts" label={t.hosts} values={['shop.example', 'blog.example']} />
    <CodeField id="sample-code" label={t.code} hint={t.codeHint} />
    <CheckField id="sample-notify" label={t.notify} hint={t.notifyHint} isChecked />
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
      caption={t.sources}
      columns={[t.source, t.visitors, t.share]}
      bars={sources.map(([text, value, share]) => ({
        text,
        value,
        cells: [escapeHtml(formatNumber(value)), escapeHtml(share)],
        href: '#tables',
      }))}
      empty={<p safe>{t.noDevices}</p>}
    />
    <Facts
      facts={[
        { name: t.account, value: escapeHtml(t.address) },
        { name: t.created, value: <Time at={Date.UTC(2026, 10, 24, 9, 30)} /> },
        { name: t.plan, value: <Badge text={t.active} tone="ok" /> },
      ]}
    />
    <Copy label={t.copyKey} text="curl -s https://app.example.com/api/health/ready" />
  </>
);
