import type { Html } from '../../lib/text/html.ts';

const days = 42;
const troubles: readonly number[] = [11, 29];

const curve =
  'M40 240C76 236 84 208 122 212S172 236 204 220 252 172 292 182' +
  ' 348 206 376 190 424 164 440 168';

const bars = (y: number, worst: number | undefined): Html => (
  <>
    <path class="good" d={`M40 ${y}h400`} pathLength={days * 10} />
    {worst !== undefined && <path class="bad" d={`M${40 + worst * 9.6} ${y}h7`} />}
  </>
);

const tile = (x: number, line: string): Html => (
  <>
    <rect class="box" x={x} y="56" width="124" height="76" rx="8" />
    <path class="words" d={`M${x + 16} 76h42`} />
    <path class="figure" d={`M${x + 16} 96h58`} />
    <path class="curve" d={`M${x + 16} 120${line}`} />
  </>
);

/** The console in outline: figures, a chart of visitors and the days of two components. */
export const homePicture: Html = (
  <svg class="picture" viewBox="0 0 480 392" aria-hidden="true">
    <rect class="window" x="1" y="1" width="478" height="390" rx="12" />
    <path class="edge" d="M1 36h478" />
    <circle class="words" cx="24" cy="19" r="1" />
    <circle class="words" cx="40" cy="19" r="1" />
    <circle class="words" cx="56" cy="19" r="1" />
    {tile(24, 'l14-4 15 2 15-7 15 3 16-6 17-2')}
    {tile(178, 'l14-2 15-6 15 4 15-5 16 1 17-6')}
    {tile(332, 'l14-7 15 3 15 2 15-8 16 4 17-5')}
    <rect class="box" x="24" y="148" width="432" height="132" rx="8" />
    <path class="grid" d="M40 180h400M40 214h400M40 248h400" />
    <path class="fill" d={`${curve}V264H40Z`} />
    <path class="line" d={curve} />
    <path class="before" d="M40 250C90 246 110 228 160 232S250 214 300 212 400 200 440 198" />
    <rect class="box" x="24" y="296" width="432" height="76" rx="8" />
    {bars(320, troubles[0])}
    {bars(350, troubles[1])}
  </svg>
);
