import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import { rounds } from '../rounds.ts';

/** Where to save pictures of the pages for review: `SHOTS=/tmp/shots npm test -- --slow …` */
const pictureFolder = process.env.SHOTS;

/** Saves a picture of the page if `SHOTS` is set. */
export async function takePicture(
  page: Page,
  name: string,
  { fullPage = true } = {},
): Promise<void> {
  if (pictureFolder === undefined) return;
  await mkdir(pictureFolder, { recursive: true });
  const file = `${name.replace(/\W+/g, '-').replace(/^-|-$/g, '')}.png`;
  await page.screenshot({ path: join(pictureFolder, file), fullPage });
}

/** Width of the page; if it exceeds the window, the page scrolls horizontally. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth');

/** The rules of axe-core whose findings depend on colours. */
const colorRules = ['color-contrast', 'link-in-text-block'];
const ruleSets = {
  colors: { runOnly: colorRules },
  others: { rules: Object.fromEntries(colorRules.map((rule) => [rule, { enabled: false }])) },
};

export interface AxeOptions {
  /** Selectors of elements that axe leaves out. */
  exclude?: string[];
  /** The rules to run; all without it. */
  only?: keyof typeof ruleSets;
}

/** Runs axe-core on the page. Returns the violations: the rule, and the markup of each element. */
export async function axeViolations(
  page: Page,
  { exclude = [], only }: AxeOptions = {},
): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const rules = only === undefined ? {} : ruleSets[only];
  // On large pages, describing the elements that pass takes longer than the rules.
  return page.evaluate<string[]>(
    `axe.run(
      { exclude: ${JSON.stringify(exclude)} },
      ${JSON.stringify({ resultTypes: ['violations'], selectors: false, ...rules })},
    ).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html }) => html.slice(0, 140)).join(' | ')))`,
  );
}

const openDetails = (page: Page): Promise<void> =>
  page.evaluate(
    `document.querySelectorAll('main details').forEach((each) => { each.open = true; })`,
  );

/**
 * Takes elements out of the page of which `most` alike are shown, such as further rows of a table,
 * until `putBack` is called. Alike are elements of one kind in parents of one kind: style sheets
 * give them the same colours.
 */
const takeOutRepetition = `(most) => {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const styledIds = rules.flatMap(({ cssText }) => cssText.match(/#[\\w-]+/g) ?? []);
  const isStyled = (name, value) =>
    /^(?:class|role|type|style|aria-(?!label|described|controls).*)$/.test(name) ||
    (name === 'id' && styledIds.includes('#' + value));
  const kinds = new Map();
  const out = [];
  const isKept = (element, parent) => {
    if (!element.checkVisibility()) return false;
    const attributes = [...element.attributes].map(({ name, value }) =>
      isStyled(name, value) ? name + '=' + value : name);
    const name = [parent, element.tagName, ...attributes].join(' ');
    const kind = kinds.get(name) ?? { number: kinds.size, shown: 0 };
    kinds.set(name, kind);
    const before = out.length;
    const kept = [...element.children].filter((child) => isKept(child, kind.number));
    if (kind.shown >= most && kept.length === 0 && element !== document.activeElement) {
      out.splice(before, Infinity, element);
      return false;
    }
    kind.shown += 1;
    return true;
  };
  for (const child of document.body.children) isKept(child);
  const places = out.map((element) => {
    const place = document.createComment('');
    element.replaceWith(place);
    return place;
  });
  globalThis.putBack = () => places.forEach((place, at) => place.replaceWith(out[at]));
}`;

/** Checks the colours of the first elements of each kind. */
async function colorViolations(page: Page, options: AxeOptions): Promise<string[]> {
  await page.evaluate(`(${takeOutRepetition})(${rounds(3, 1_000_000)})`);
  const violations = await axeViolations(page, { ...options, only: 'colors' });
  await page.evaluate('putBack()');
  return violations;
}

export interface ViewOptions extends Pick<AxeOptions, 'exclude'> {
  /** The name of the pictures; without one, none are taken. */
  picture?: string;
  /** The widths of the windows; both without it. */
  widths?: readonly (1280 | 320)[];
}

/** Colours are checked in every view, other rules once for each width. */
const views = [
  { colorScheme: 'light', width: 1280, isFirst: true },
  { colorScheme: 'dark', width: 1280, isFirst: false },
  { colorScheme: 'dark', width: 320, isFirst: true },
  { colorScheme: 'light', width: 320, isFirst: false },
] as const;

/**
 * Checks an open page in light and dark, 1280 and 320 pixels wide: axe-core, whose rules about
 * colours run in both schemes and the others in one, and that the page fits the width. On the
 * narrow screen, all `details` are open; it also has to fit while they are closed. Returns the
 * faults with their views.
 */
export async function viewFaults(
  page: Page,
  { exclude = [], picture, widths = [1280, 320] }: ViewOptions = {},
): Promise<string[]> {
  const faults: string[] = [];
  const chosen = views.filter(({ width }) => widths.includes(width));
  for (const { colorScheme, width, isFirst } of chosen) {
    const name = `${colorScheme}, ${width} px`;
    const checkWidth = async (what: string): Promise<void> => {
      const actual = await widthOf(page);
      if (actual > width) faults.push(`${name}: ${what} is ${actual} px wide`);
    };
    await page.setViewportSize({ width, height: 900 });
    // Otherwise colours change gradually, and axe sees those between.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await checkWidth('the page');
    if (width === 320) {
      await openDetails(page);
      await checkWidth('the page with open details');
    }
    const violations = [
      ...(isFirst ? await axeViolations(page, { exclude, only: 'others' }) : []),
      ...(await colorViolations(page, { exclude })),
    ];
    faults.push(...violations.map((fault) => `${name}: ${fault}`));
    if (picture !== undefined) await takePicture(page, `${picture}-${colorScheme}-${width}`);
  }
  return faults;
}

let validator: HtmlValidate | undefined;

// Imported on first use: most browser tests check no markup, and loading takes half a second.
async function markupValidator(): Promise<HtmlValidate> {
  const { HtmlValidate } = await import('html-validate');
  validator ??= new HtmlValidate({
    extends: ['html-validate:recommended', 'html-validate:a11y'],
    // How browsers serialise a document.
    rules: {
      'no-trailing-whitespace': 'off',
      'void-style': 'off',
      'attribute-boolean-style': 'off',
    },
  });
  return validator;
}

/** Returns the errors of html-validate in the page's current document. */
export async function documentFaults(page: Page): Promise<string[]> {
  const { results } = await (await markupValidator()).validateString(await page.content());
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
  );
}
