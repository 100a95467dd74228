import { DeviceTable } from '../devices/device-table.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import type { Html } from '../../../../lib/text/html.ts';
import type { ConsolePage } from '../../layout.tsx';
import { textLink } from '../../components/navigation.tsx';
import { sectionPath } from '../../sections.ts';
import type { Viewer } from '../../viewer.ts';
import { nameOf } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sessionsPanel } from './sessions-panel.tsx';
import { userFrame } from './user-frame.tsx';
import { userNotice } from './user-notices.tsx';
import type { UserPageState } from './user-page.tsx';
import type { UserDevicesView } from './user-view.ts';

function devicesPanel({ devices, user }: UserDevicesView, viewer: Viewer): Html {
  const words = texts.user.devices;
  return (
    <Card
      id="devices"
      title={words.title({ count: devices.length })}
      isLive
      actions={textLink(sectionPath('devices'), words.all)}
    >
      <DeviceTable
        caption={words.caption({ name: nameOf(user) })}
        devices={devices}
        viewerId={viewer.userId}
        from="user"
        empty={<EmptyState icon="devices" text={words.none} />}
      />
    </Card>
  );
}

/** Where a user is signed in, and with which devices. */
export function userDevicesPage(
  view: UserDevicesView,
  viewer: Viewer,
  { sessionId, ...state }: UserPageState & { sessionId: string | undefined },
): ConsolePage {
  const isOwn = view.user.id === viewer.userId;
  return userFrame(view, 'devices', {
    isOwn,
    hasDevices: true,
    notice: userNotice(view, isOwn, state),
    body: (
      <>
        {sessionsPanel(view, isOwn ? sessionId : undefined)}
        {devicesPanel(view, viewer)}
      </>
    ),
  });
}
