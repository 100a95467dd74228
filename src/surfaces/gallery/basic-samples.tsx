import type { Html } from '../../lib/text/html.ts';
import { Avatar } from '../../platform/ui/components/avatar.tsx';
import { Badge } from '../../platform/ui/components/badge.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import { Banner, EmptyState, Skeleton, Toast } from '../../platform/ui/components/feedback.tsx';
import { BrandMark, DeviceMark, FlagMark } from '../../platform/ui/components/marks.tsx';
import { Nav, PageHead, Pager, Tabs } from '../../platform/ui/components/navigation.tsx';
import { Stats } from '../../platform/ui/components/stat.tsx';
import { WorldMap } from '../../platform/ui/components/world-map.tsx';
import { lineChart } from '../../platform/ui/charts/line-chart.tsx';
import { Icon, iconNames } from '../../platform/ui/icon.tsx';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const buttonSamples = (): Html => (
  <>
    <div class="btn-row">
      <Button label="Create key" kind="primary" icon="plus" />
      <Button label="Cancel" />
      <Button label="Learn more" kind="ghost" href="#buttons" />
      <Button label="Delete site" kind="danger" icon="trash" />
    </div>
    <div class="btn-row">
      <Button label="Saving…" kind="primary" isBusy />
      <Button label="Not available" isDisabled />
      <Button label="Review" size="small" />
      <Button label="Edit" size="small" icon="edit" isIconOnly />
      <Button label="Save changes" kind="primary" size="large" />
    </div>
  </>
);

export const badgeSamples = (): Html => (
  <>
    <div class="btn-row">
      <Badge text="Active" tone="ok" />
      <Badge text="Awaiting approval" tone="info" />
      <Badge text="Expired" tone="warn" />
      <Badge text="Denied" tone="bad" />
      <Badge text="Archived" />
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
    label="Example figures"
    all={[
      {
        label: 'Visitors',
        value: '10,418',
        change: { text: '+10%', direction: 'up', isGood: true },
        note: 'vs previous 30 days',
        trend: month,
        href: '#figures',
      },
      { label: 'Page views', value: '25,528', trend: month.toReversed() },
      {
        label: 'Bounce rate',
        value: '36.6%',
        change: { text: '+1.2 pp', direction: 'up', isGood: false },
      },
    ]}
  />
);

export const chartSamples = (): Html =>
  lineChart({
    id: 'sample-chart',
    caption: 'Visitors in 2026',
    steps: months,
    lines: [
      { name: 'Visitors', values: month, kind: 'first' },
      { name: 'vs previous 30 days', values: month.toReversed(), kind: 'before' },
    ],
    partial: month.map((_, at) => at === month.length - 1),
    marks: [{ step: 4, text: 'Launch' }],
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
      title="Shop"
      breadcrumbs={[{ href: '#navigation', text: 'Projects' }]}
      state={<Badge text="Active" tone="ok" />}
      actions={<Button label="Edit" icon="edit" />}
    />
    <Tabs
      label="Overview"
      links={[
        { href: '#navigation', text: 'Overview', isCurrent: true },
        { href: '#navigation', text: 'Devices', count: 7 },
        { href: '#navigation', text: 'Settings' },
      ]}
    />
    <Tabs
      label={months.join(', ')}
      isCompact
      links={months.map((text, at) => ({ href: '#navigation', text, isCurrent: at === 0 }))}
    />
    <Nav
      label="People"
      links={[
        { href: '#navigation', text: 'Overview', icon: 'overview', isCurrent: true },
        { href: '#navigation', text: 'People', icon: 'users' },
        { href: '#navigation', text: 'Devices', icon: 'devices', count: 7 },
      ]}
    />
    <Pager
      label="Entries"
      summary="1–25 of 412"
      previousLabel="Previous"
      nextLabel="Next"
      next="#navigation"
    />
  </>
);

export const feedbackSamples = (): Html => (
  <>
    <Banner text="All systems operational" tone="ok" />
    <Banner text="Maintenance on Nov 28 at 02:07 UTC." tone="info" />
    <Banner text="Sign-in is slow. We are looking into it." tone="warn" />
    <Banner text="Messages are not being delivered." tone="bad" />
    <Toast
      text="Key revoked."
      undo={<Button label="Undo" kind="ghost" size="small" icon="undo" />}
    />
    <EmptyState
      icon="devices"
      text="No devices yet. A device appears here after its first sign-in."
      action={<Button label="Learn more" href="#feedback" />}
    />
    <Skeleton label="Loading" />
  </>
);

export const markSamples = (): Html => (
  <div class="btn-row">
    {['DE', 'FR', 'JP', null].map((country) => (
      <FlagMark country={country} />
    ))}
    {['Google', 'GitHub', 'Firefox', 'Windows', 'news.example', null].map((name) => (
      <BrandMark name={name} />
    ))}
    {['desktop', 'mobile', 'tablet', null].map((kind) => (
      <DeviceMark kind={kind} />
    ))}
  </div>
);

export const mapSamples = (): Html => (
  <WorldMap
    countries={[
      { code: 'DE', value: 1234, title: 'Germany: 1,234 visitors', href: '#map' },
      { code: 'US', value: 402, title: 'United States: 402 visitors', href: '#map' },
      { code: 'AU', value: 96, title: 'Australia: 96 visitors', href: '#map' },
      { code: 'SG', value: 12, title: 'Singapore: 12 visitors', href: '#map' },
    ]}
  />
);
