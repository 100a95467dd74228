import type { Html } from '../../lib/text/html.ts';
import { Avatar } from '../../platform/ui/components/avatar.tsx';
import { Badge } from '../../platform/ui/components/badge.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import { Banner, EmptyState, Skeleton, Toast } from '../../platform/ui/components/feedback.tsx';
import { Nav, PageHead, Pager, Tabs } from '../../platform/ui/components/navigation.tsx';
import { Stats } from '../../platform/ui/components/stat.tsx';
import { lineChart } from '../../platform/ui/charts/line-chart.tsx';
import { Icon, iconNames } from '../../platform/ui/icon.tsx';
import { texts } from './texts/en.ts';

const t = texts.samples;

export const buttonSamples = (): Html => (
  <>
    <div class="btn-row">
      <Button label={t.createKey} kind="primary" icon="plus" />
      <Button label={t.cancel} />
      <Button label={t.learnMore} kind="ghost" href="#buttons" />
      <Button label={t.deleteSite} kind="danger" icon="trash" />
    </div>
    <div class="btn-row">
      <Button label={t.saving} kind="primary" isBusy />
      <Button label={t.disabled} isDisabled />
      <Button label={t.review} size="small" />
      <Button label={t.edit} size="small" icon="edit" isIconOnly />
      <Button label={t.save} kind="primary" size="large" />
    </div>
  </>
);

export const badgeSamples = (): Html => (
  <>
    <div class="btn-row">
      <Badge text={t.active} tone="ok" />
      <Badge text={t.waiting} tone="info" />
      <Badge text={t.expired} tone="warn" />
      <Badge text={t.denied} tone="bad" />
      <Badge text={t.archived} />
    </div>
    <div class="btn-row">
      {['Ada Lovelace', 'Grace Hopper', 'zoe@example.com'].map((name) => (
        <span class="btn-row">
          <Avatar name={name} />
          <span safe>{name}</span>
        </span>
      ))}
    </div>
  </>
);

const month = [310, 342, 298, 401, 388, 420, 377, 450, 431, 468, 492, 480];

export const figureSamples = (): Html => (
  <Stats
    label={t.figures}
    all={[
      {
        label: t.visitors,
        value: '10,418',
        change: { text: '+10%', direction: 'up', isGood: true },
        note: t.previousPeriod,
        trend: month,
        href: '#figures',
      },
      { label: t.views, value: '25,528', trend: month.toReversed() },
      {
        label: t.bounce,
        value: '36.6%',
        change: { text: t.points, direction: 'up', isGood: false },
      },
    ]}
  />
);

export const chartSamples = (): Html =>
  lineChart({
    id: 'sample-chart',
    caption: t.chart,
    steps: t.months,
    lines: [
      { name: t.visitors, values: month, kind: 'first' },
      { name: t.previousPeriod, values: month.toReversed(), kind: 'before' },
    ],
    partial: month.map((_, at) => at === month.length - 1),
    marks: [{ step: 4, text: t.launch }],
  });

export const iconSamples = (): Html => (
  <ul class="chips">
    {iconNames.map((name) => (
      <li class="btn-row">
        <Icon name={name} />
        <code safe>{name}</code>
      </li>
    ))}
  </ul>
);

export const navigationSamples = (): Html => (
  <>
    <PageHead
      title={t.shop}
      breadcrumbs={[{ href: '#navigation', text: t.projects }]}
      state={<Badge text={t.active} tone="ok" />}
      actions={<Button label={t.edit} icon="edit" />}
    />
    <Tabs
      label={t.overview}
      links={[
        { href: '#navigation', text: t.overview, isCurrent: true },
        { href: '#navigation', text: t.devices, count: 7 },
        { href: '#navigation', text: t.settings },
      ]}
    />
    <Tabs
      label={t.months.join(', ')}
      isCompact
      links={t.months.map((text, at) => ({ href: '#navigation', text, isCurrent: at === 0 }))}
    />
    <Nav
      label={t.people}
      links={[
        { href: '#navigation', text: t.overview, icon: 'overview', isCurrent: true },
        { href: '#navigation', text: t.people, icon: 'users' },
        { href: '#navigation', text: t.devices, icon: 'devices', count: 7 },
      ]}
    />
    <Pager
      label={t.entries}
      summary={t.range}
      previousLabel={t.previous}
      nextLabel={t.next}
      next="#navigation"
    />
  </>
);

export const feedbackSamples = (): Html => (
  <>
    <Banner text={t.operational} tone="ok" />
    <Banner text={t.maintenance} tone="info" />
    <Banner text={t.degraded} tone="warn" />
    <Banner text={t.outage} tone="bad" />
    <Toast
      text={t.revoked}
      undo={<Button label={t.undo} kind="ghost" size="small" icon="undo" />}
    />
    <EmptyState
      icon="devices"
      text={t.noDevices}
      action={<Button label={t.learnMore} href="#feedback" />}
    />
    <Skeleton label={t.loading} />
  </>
);
