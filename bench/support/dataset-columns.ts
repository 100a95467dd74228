import { randomBytes } from 'node:crypto';
import { eventColumns } from '../../src/areas/analytics/store/duckdb/schema/columns.ts';
import {
  type DictionaryColumn,
  dictionaryColumns,
} from '../../src/areas/analytics/store/events.ts';

interface Word {
  kind: number;
  id: number;
  value: string;
}

export interface Vocabulary {
  words: Word[];
  /** The id of the first text of each kind; the others follow in order. */
  first: Record<string, number>;
}

const numbered = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index));
const list = (texts: string) => texts.split('|');

const pageCount = 1500;
const refererCount = 60;
const postCount = 40;
const sections = list('blog|docs|product|pricing|help');
const page = (index: number) => `/${sections[index % sections.length] ?? ''}/page-${index}`;
const referer = (index: number) => `ref${index}.example.com`;

const countedNames = list(
  'pageview|scroll_end|signup|download|outbound_click|purchase|search|video_play|form_submit|' +
    'share|login|add_to_cart|error',
);

/**
 * Referrers: Google, then posts of other sites. Sources are the same sites without the posts.
 */
const texts: Partial<Record<DictionaryColumn, string[]>> = {
  name: [...countedNames, 'engagement', 'web_vitals'],
  hostname: list('www.site1.example|www.site2.example|www.site3.example'),
  pathname: numbered(pageCount, page),
  title: numbered(pageCount, (index) => `Page title of ${page(index)} – Example`),
  referrer: [
    'https://www.google.com/',
    ...numbered(
      refererCount * postCount,
      (index) => `https://${referer(Math.floor(index / postCount))}/post/${index % postCount}`,
    ),
  ],
  source: ['Google', ...numbered(refererCount, referer), ...list('Newsletter|Facebook|Bing')],
  channel: list('Direct|Organic Search|Referral|Paid Search|Email|Paid Social|Display'),
  utm_source: list('google|newsletter|facebook|bing'),
  utm_medium: list('cpc|email|social|display'),
  utm_campaign: numbered(80, (index) => `campaign-${index}`),
  utm_term: numbered(300, (index) => `term ${index}`),
  utm_content: numbered(30, (index) => `ad-${index}`),
  browser: list('Chrome|Safari|Edge|Firefox|Samsung Internet|Opera|DuckDuckGo|Brave'),
  browser_version: numbered(40, (index) => `${90 + index}.0`),
  os: list('Windows|iOS|Android|macOS|Linux|Chrome OS'),
  os_version: numbered(24, (index) => `${10 + Math.floor(index / 3)}.${index % 3}`),
  device: list('Desktop|Mobile|Tablet'),
  language: list(
    'en-US|de-DE|en-GB|fr-FR|es-ES|it-IT|pt-BR|nl-NL|pl-PL|ja-JP|sv-SE|cs-CZ|tr-TR|zh-CN|ru-RU|' +
      'da-DK|fi-FI|nb-NO|ko-KR|uk-UA',
  ),
  country: list(
    'US|DE|GB|FR|ES|IT|BR|NL|PL|JP|SE|CZ|TR|CN|RU|DK|FI|NO|KR|UA|AT|CH|BE|CA|AU|IN|MX|AR|PT|GR|' +
      'IE|HU|RO|BG|HR|SI|SK|LT|LV|EE|IL|ZA|EG|NG|KE|VN|TH|ID|MY|PH|SG|NZ|CL|CO|PE',
  ),
  currency: ['EUR'],
};

const sizeOf = (kind: DictionaryColumn) => texts[kind]?.length ?? 0;

/** Returns ids for all texts of the dataset; `pageview` has 1, as in every store. */
export function createVocabulary(): Vocabulary {
  const words: Word[] = [];
  const first: Record<string, number> = {};
  for (const [kind, name] of dictionaryColumns.entries()) {
    first[name] = words.length + 1;
    for (const value of texts[name] ?? []) words.push({ kind, id: words.length + 1, value });
  }
  return { words, first };
}

/** SQL for a number in [0, 1), derived from a seed and a salt. */
const unit = (seed: string, salt: number) =>
  `((hash(${seed}, ${salt}) >> 11) / 9007199254740992.0)`;
/** SQL for an index below `size`, low ones more often: floor(size × u^power). */
const skewed = (size: number, seed: string, salt: number, power = 2) =>
  `floor(${size} * pow(${unit(seed, salt)}, ${power}))::INTEGER`;
const percentOf = (seed: string, salt: number) => `hash(${seed}, ${salt}) % 100`;
const when = (condition: string, value: string, otherwise = '0') =>
  `CASE WHEN ${condition} THEN ${value} ELSE ${otherwise} END`;

/**
 * SQL for the `id` of an event, in the form of src/areas/analytics/ingest/admission/event-ids.ts.
 * The first half is random and the same for all, as in one run of the service.
 */
function eventId(): string {
  const head = randomBytes(8).toString('hex');
  const tail = `lpad(format('{:x}', ms * 1024 + nth), 14, '0')`;
  return (
    `('${head.slice(0, 8)}-${head.slice(8, 12)}-8${head.slice(13)}-80' ` +
    `|| substr(${tail}, 1, 2) || '-' || substr(${tail}, 3))::UUID`
  );
}

/**
 * SQL conditions for measurements: every second event may be the tracker's engagement time (a
 * quarter of all events) or web vitals of the page before it.
 */
const measurement = {
  engagement: `step % 2 = 1 AND ${percentOf('visit, step', 13)} < 64`,
  vitals: `step % 2 = 1 AND ${percentOf('visit, step', 13)} BETWEEN 64 AND 75`,
  any: `step % 2 = 1 AND ${percentOf('visit, step', 13)} < 76`,
};

/**
 * SQL for the text columns of an event: ids of texts. `at` is the index among the texts of a kind.
 */
function wordColumns(first: Record<string, number>): Record<string, string> {
  const word = (kind: DictionaryColumn, at: string) => `${first[kind] ?? 0} + ${at}`;
  const pick = (kind: DictionaryColumn, seed: string, salt: number, power?: number) =>
    word(kind, skewed(sizeOf(kind), seed, salt, power));
  const tagged = `${percentOf('visit', 33)} < 10`;
  const origin = percentOf('visit', 30);
  const advert = skewed(4, 'visit', 34);
  const fromGoogle = `${origin} < 75`;
  const direct = `${origin} < 45`;
  const site = skewed(refererCount, 'visit', 31);
  return {
    name: when(
      measurement.engagement,
      word('name', String(countedNames.length)),
      when(
        measurement.vitals,
        word('name', String(countedNames.length + 1)),
        when(
          `step = 0 OR ${percentOf('visit, step', 55)} < 78`,
          '1',
          word('name', `1 + ${skewed(countedNames.length - 1, 'visit, step', 14)}`),
        ),
      ),
    ),
    hostname: word('hostname', 'site_id - 1'),
    pathname: word('pathname', 'page'),
    title: word('title', 'page'),
    referrer: when(
      direct,
      '0',
      when(
        fromGoogle,
        word('referrer', '0'),
        word('referrer', `1 + ${site} * ${postCount} + ${skewed(postCount, 'visit', 32)}`),
      ),
    ),
    source: when(
      tagged,
      word(
        'source',
        `([0, ${1 + refererCount}, ${2 + refererCount}, ${3 + refererCount}])[1 + ${advert}]`,
      ),
      when(direct, '0', when(fromGoogle, word('source', '0'), word('source', `1 + ${site}`))),
    ),
    channel: when(
      tagged,
      word('channel', `3 + ${advert}`),
      when(
        direct,
        word('channel', '0'),
        when(fromGoogle, word('channel', '1'), word('channel', '2')),
      ),
    ),
    utm_source: when(tagged, word('utm_source', advert)),
    utm_medium: when(tagged, word('utm_medium', advert)),
    utm_campaign: when(tagged, pick('utm_campaign', 'visit', 35)),
    utm_term: when(`${percentOf('visit', 33)} < 2`, pick('utm_term', 'visit', 36)),
    utm_content: when(`${percentOf('visit', 33)} < 3`, pick('utm_content', 'visit', 37)),
    browser: pick('browser', 'person', 40),
    browser_version: pick('browser_version', 'person', 41, 3),
    os: pick('os', 'person', 42),
    os_version: pick('os_version', 'person', 43),
    device: pick('device', 'person', 45),
    language: pick('language', 'person', 47),
    country: pick('country', 'person', 48),
    currency: when('sale', word('currency', '0')),
    tag: '0',
  };
}

function otherColumns(): Record<string, string> {
  const screen = (sizes: number[]) =>
    `([${sizes.join(', ')}])[1 + (hash(person, 46) % 8)::INTEGER]`;
  const vital = (salt: number, most: number) =>
    `CASE WHEN ${measurement.vitals} THEN ${unit('visit, step', salt)} * ${most} END`;
  return {
    site_id: 'site_id',
    ts: 'make_timestamp_ms(ms)',
    received_at: 'make_timestamp_ms(ms + 20 + (hash(visit, step, 12) % 400)::BIGINT)',
    event_id: eventId(),
    visitor_id: 'visitor_id',
    session_id: 'visit',
    named: 'false',
    interactive: `NOT (${measurement.any}) AND ${percentOf('visit, step', 11)} >= 5`,
    bot: 'hash(visit, 15) % 200 = 0',
    screen_w: screen([1920, 390, 1536, 412, 1440, 375, 2560, 768]),
    screen_h: screen([1080, 844, 864, 915, 900, 667, 1440, 1024]),
    scroll_depth: `CASE WHEN ${measurement.engagement} THEN hash(visit, step, 19) % 101 END`,
    engagement_ms: `CASE WHEN ${measurement.engagement} THEN hash(visit, step, 21) % 120000 END`,
    revenue: 'CASE WHEN sale THEN (hash(visit, step, 23) % 50000)::DECIMAL(18, 4) / 100 END',
    lcp: vital(50, 4000),
    inp: vital(51, 500),
    cls: vital(52, 0.3),
    fcp: vital(53, 2500),
    ttfb: vital(54, 900),
    query:
      'CASE WHEN hash(visit, step, 16) % 20 = 0 ' +
      "THEN 'q=' || (hash(visit, step, 17) % 500) END",
    click_id:
      `CASE WHEN ${percentOf('visit', 33)} < 2 THEN 'gclid:EAIaIQob' ` +
      '|| to_hex(hash(visit, 38)) || to_hex(hash(visit, 39)) END',
    user_id: `CASE WHEN known AND step > 0 THEN 'user-' || (person % 1000000) END`,
    person: 'CASE WHEN known AND step > 0 THEN hash(person, 56) END',
    props:
      `CASE WHEN ${percentOf('visit, step', 27)} < 15 THEN '{"plan":"' ` +
      `|| (['free', 'pro', 'team'])[1 + (hash(visit, step, 28) % 3)::INTEGER] ` +
      `|| '","pos":"' || (hash(visit, step, 29) % 50) || '"}' END`,
  };
}

/** SQL that selects complete rows of `events` from the temporary table `moment`, in its order. */
export function eventSelect({ first }: Vocabulary): string {
  const columns: Record<string, string> = { ...otherColumns(), ...wordColumns(first) };
  const selected = Object.entries(eventColumns).map(
    ([name, type]) => `(${columns[name] ?? 'NULL'})::${type}`,
  );
  const pageStep = `visit, step - CASE WHEN ${measurement.any} THEN 1 ELSE 0 END`;
  return `SELECT ${selected.join(',\n')} FROM
    (SELECT *, ${skewed(pageCount, pageStep, 20, 3)} AS page,
       hash(visit, step, 22) % 200 = 0 AND NOT (${measurement.any}) AS sale FROM moment)`;
}
