import { dayMs, hourMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import { createRandom } from '../random.ts';
import { type PrintedCode, printedCodes } from '../scans.ts';
import type { World } from '../world.ts';
import type { Act } from './timeline.ts';

const by = (requestId: string): RequestActor => ({
  actor: { kind: 'api_key' },
  address: '192.0.2.10',
  requestId,
});

function codeAct({ app, story }: World, printed: PrintedCode): Act {
  const { code, name, url, campaign, printedDaysAgo, style = {} } = printed;
  return {
    at: Math.max(story.from, story.until - printedDaysAgo * dayMs),
    play: async () => {
      const { service } = app.services.qrCodes;
      const body = { name, url, code, site_id: 'shop.example', active: true, dynamic: true, style };
      await service.create?.({ ...body, utm_campaign: campaign }, by('demo-codes'));
    },
  };
}

/** The poster leads somewhere else once its offer is over. */
function changeAct({ app, story }: World): Act {
  return {
    at: story.until - 20 * dayMs,
    play: async () => {
      const { service } = app.services.qrCodes;
      const { data } = await service.list({
        limit: 20,
        sort: 'name',
        utm_campaign: 'winter-posters',
      });
      for (const { id } of data)
        await service.update?.(id, { url: 'https://shop.example/gifts' }, by('demo-codes'));
    },
  };
}

const tags = [
  { name: 'Table 1', taps: 212 },
  { name: 'Table 2', taps: 187 },
  { name: 'Table 3', taps: 96 },
  { name: 'Wool of the month', taps: 340 },
  { name: 'Certificate 0001', taps: 18, chip: 'ntag424' },
  { name: 'Certificate 0002', taps: 41, chip: 'ntag424' },
] as const;

/** Tags on tables, and certificates of authenticity, one of which somebody has copied. */
function tagAct({ app, story }: World, tag: (typeof tags)[number], index: number): Act {
  const at = story.until - (300 - 20 * index) * dayMs;
  const isSigned = 'chip' in tag;
  return {
    at,
    play: async () => {
      const created = await app.services.nfcTags.service.create?.(
        {
          name: tag.name,
          active: true,
          chip: isSigned ? 'ntag424' : 'ntag213',
          mode: isSigned ? 'sun' : 'plain',
          target: 'https://shop.example/kits',
        },
        by('demo-tags'),
      );
      if (created === undefined) return;
      await app.stores.db
        .updateTable('nfc_tags')
        .set({
          taps: tag.taps,
          last_counter: isSigned ? tag.taps : null,
          last_tapped_at: new Date(story.until - (index + 1) * 7 * hourMs),
        })
        .where('id', '=', created.id)
        .execute();
    },
  };
}

/** What was refused, as the service notes it: by kind and hour. */
function alarmAct({ app, story }: World): Act {
  const random = createRandom('alarms');
  return {
    at: story.until - hourMs,
    play: async () => {
      const { db } = app.stores;
      const certificates = await db
        .selectFrom('nfc_tags')
        .select('id')
        .where('mode', '=', 'sun')
        .orderBy('name', 'desc')
        .execute();
      const copied = certificates[0]?.id;
      const kinds = ['cloned', 'replayed', 'forged', 'cloned', 'replayed', 'unknown_code'] as const;
      for (const [index, kind] of kinds.entries()) {
        const last = new Date(story.until - (index * 31 + random.between(1, 20)) * hourMs);
        const hour = new Date(Math.floor(last.getTime() / hourMs) * hourMs);
        await db
          .insertInto('nfc_alarms')
          .values({
            id: uuidv7(last.getTime()),
            tag_id: kind === 'unknown_code' ? null : (copied ?? null),
            kind,
            hour,
            count: random.between(1, 9),
            resolved: index > 3,
            last_at: last,
            created_at: hour,
            updated_at: last,
          })
          .execute();
      }
    },
  };
}

/** QR codes that were printed over the year, and a box of NFC tags. */
export const codeActs = (world: World): Act[] => [
  ...printedCodes.map((printed) => codeAct(world, printed)),
  changeAct(world),
  ...tags.map((tag, index) => tagAct(world, tag, index)),
  alarmAct(world),
];
