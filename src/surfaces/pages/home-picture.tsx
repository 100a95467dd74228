import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { encodeQr, isDark } from '../../areas/qr/drawing/matrix.ts';
import { texts } from './texts/en/home.ts';

interface Row {
  label: string;
  value: string;
  /** Length of the bar, in per cent. */
  share: number;
}

const { dashboard, pictures } = texts;

/** Visitors of 30 days, as heights of 160. */
const days: readonly number[] = [
  62, 70, 58, 44, 40, 66, 74, 80, 76, 60, 48, 46, 78, 88, 96, 92, 70, 56, 54, 90, 104, 98, 108, 84,
  66, 62, 102, 118, 112, 126,
];
const before: readonly number[] = days.map((value, at) => Math.round(value * 0.86 - (at % 3) * 3));

const pathOf = (values: readonly number[]): string =>
  values.map((value, at) => `${at === 0 ? 'M' : 'L'}${at * 20} ${150 - value}`).join('');

const chart: Html = (
  <svg class="shot-chart" viewBox="0 0 580 160" preserveAspectRatio="none">
    <path class="grid" d="M0 30h580M0 70h580M0 110h580M0 150h580" />
    <path class="fill" d={`${pathOf(days)}V150H0Z`} />
    <path class="before" d={pathOf(before)} />
    <path class="line" d={pathOf(days)} />
  </svg>
);

/** The longest bar ends before the numbers. */
const longestBar = 0.8;

/** Labels with a bar behind them and a number. SVG, because a page has no inline styles. */
const bars = (rows: readonly Row[]): Html => (
  <ul class="shot-bars">
    {rows.map(({ label, value, share }) => (
      <li>
        <svg viewBox="0 0 100 1" preserveAspectRatio="none">
          <rect width={share * longestBar} height="1" />
        </svg>
        <span safe>{label}</span>
        <strong safe>{value}</strong>
      </li>
    ))}
  </ul>
);

const list = (title: string, rows: readonly Row[]): Html => (
  <div class="shot-list">
    <p safe>{title}</p>
    {bars(rows)}
  </div>
);

/** The dashboard as the console shows it, with a link to its guide. Screen readers get its name. */
export const dashboardPicture: Html = (
  <a class="shot" href="/developer/guides/analytics">
    <div role="img" aria-label={dashboard.label}>
      <div aria-hidden="true">
        <p class="shot-bar">
          <strong safe>{dashboard.site}</strong>
          <span class="shot-live" safe>
            {dashboard.live}
          </span>
          <span class="shot-period" safe>
            {dashboard.period}
          </span>
        </p>
        <div class="shot-tiles">
          {dashboard.tiles.map(([name = '', value = '', change = '']) => (
            <div>
              <span safe>{name}</span>
              <strong safe>{value}</strong>
              <em safe>{change}</em>
            </div>
          ))}
        </div>
        {chart}
        <div class="shot-lists">
          {list(dashboard.sources, dashboard.sourceRows)}
          {list(dashboard.pages, dashboard.pageRows)}
        </div>
      </div>
    </div>
  </a>
);

const codePicture = ({ title, text }: typeof pictures.code): Html => (
  <div class="shot-card">
    <strong safe>{title}</strong>
    <span safe>{text}</span>
    <p class="shot-code">
      {['4', '8', '0', '1', '5', ''].map((digit) => (
        <i>{escapeHtml(digit)}</i>
      ))}
    </p>
  </div>
);

const funnelPicture: Html = <div class="shot-card">{bars(pictures.funnel)}</div>;

/** A code that leads to this service, so that people who scan it see that it works. */
function codeAndScans(baseUrl: string): Html {
  const code = encodeQr(`${baseUrl}/`, 'M');
  if (!code.fits) return <></>;
  const { size } = code.matrix;
  const dark = Array.from({ length: size * size }, (_, at) => [at % size, Math.floor(at / size)])
    .filter(([x = 0, y = 0]) => isDark(code.matrix, x, y))
    .map(([x = 0, y = 0]) => `M${x} ${y}h1v1h-1z`);
  return (
    <div class="shot-card shot-qr">
      <svg viewBox={`-2 -2 ${size + 4} ${size + 4}`} shape-rendering="crispEdges">
        <path d={dark.join('')} />
      </svg>
      <div>
        <strong safe>{new URL(baseUrl).host}</strong>
        <span safe>{pictures.scan}</span>
      </div>
    </div>
  );
}

const history = (worst: number | undefined): Html => (
  <svg viewBox="0 0 360 24" preserveAspectRatio="none">
    {Array.from({ length: 60 }, (_, at) => (
      <rect class={at === worst ? 'bad' : 'good'} x={at * 6} width="4" height="24" rx="1" />
    ))}
  </svg>
);

const statusPicture: Html = (
  <div class="shot-card shot-status">
    {pictures.components.map(([name = '', state = ''], at) => (
      <div>
        <p>
          <strong safe>{name}</strong>
          <em safe>{state}</em>
        </p>
        {history(at === 1 ? 41 : undefined)}
      </div>
    ))}
  </div>
);

const drawn = {
  people: () => codePicture(pictures.code),
  understand: () => funnelPicture,
  reach: codeAndScans,
  inform: () => statusPicture,
};

const stage = (label: string, picture: Html): Html => (
  <div class="shot-stage" role="img" aria-label={label}>
    <div aria-hidden="true">{picture}</div>
  </div>
);

/** The picture of a band. */
export const bandPicture = (band: keyof typeof drawn, baseUrl: string): Html =>
  stage(texts.bands[band].picture, drawn[band](baseUrl));

/** A form of an app that asks for a code by SMS. */
export const smsPicture: Html = stage(texts.bands.people.picture, codePicture(pictures.sms));
