import { describe, expect, it } from 'vitest';
import { chooseTests, describeChoice } from '../../scripts/setup/changed-tests.mjs';

const imports = new Map([
  ['test/areas/qr/codes.test.ts', ['test/areas/qr/support.ts']],
  ['test/areas/qr/codes.slow.test.ts', []],
  ['test/areas/qr/drawing/png.test.ts', ['src/areas/qr/drawing/png.ts']],
  ['test/areas/qr/support.ts', ['test/support/app.ts']],
  ['test/areas/nfc/taps.test.ts', ['test/support/app.ts']],
  ['test/areas/nfc/links.test.ts', ['test/areas/qr/support.ts']],
  ['test/surfaces/console/qr-files.test.ts', ['test/support/app.ts']],
  ['test/surfaces/console/access.test.ts', ['test/support/app.ts']],
  ['test/surfaces/graphql/parts.test.ts', ['src/surfaces/graphql/engine.ts']],
  ['test/platform/bus/feed.test.ts', ['src/platform/bus/feed.ts']],
  ['test/lib/ids.test.ts', ['src/lib/ids.ts']],
  ['test/guides/guides.test.ts', ['test/support/app.ts']],
  ['test/app/personal-data.test.ts', ['test/support/app.ts']],
  ['test/contract/routes.test.ts', ['test/support/app.ts']],
  ['test/contract/texts.test.ts', []],
  ['test/contract/markup.test.ts', []],
  ['test/support/app.ts', ['src/app/app.ts', 'src/platform/process/logger.ts', 'src/lib/ids.ts']],
  ['src/app/app.ts', ['src/areas/qr/plugin.ts', 'src/surfaces/console/plugin.ts']],
  ['src/areas/qr/plugin.ts', ['src/areas/qr/service.ts']],
  ['src/areas/qr/service.ts', ['src/areas/qr/store.ts', 'src/areas/qr/drawing/png.ts']],
  ['src/areas/qr/store.ts', ['src/lib/ids.ts']],
  ['src/areas/qr/schemas.ts', ['src/areas/qr/fields.ts']],
  ['src/surfaces/console/plugin.ts', ['src/surfaces/console/qr/page.tsx']],
  ['src/surfaces/console/qr/page.tsx', ['src/areas/qr/schemas.ts']],
  ['src/surfaces/graphql/engine.ts', ['src/areas/qr/views.ts']],
]);
const tests = [...imports.keys()].filter((path) => path.endsWith('.test.ts'));

const sourceChecks = ['test/contract/markup.test.ts', 'test/contract/texts.test.ts'];
const choose = (...changed: string[]) => chooseTests({ changed, tests, imports });
const chosenFor = (...changed: string[]) =>
  choose(...changed)
    .flatMap((reason) => reason.tests)
    .filter((path) => !sourceChecks.includes(path))
    .sort();

const ofQr = [
  'test/areas/nfc/links.test.ts',
  'test/areas/qr/codes.slow.test.ts',
  'test/areas/qr/codes.test.ts',
  'test/areas/qr/drawing/png.test.ts',
];

describe('the tests chosen for a change', () => {
  it('of an area are those of the whole area, and those that use its test support', () => {
    expect(chosenFor('src/areas/qr/store.ts')).toEqual(ofQr);
    expect(chosenFor('src/areas/qr/removed.ts')).toEqual(ofQr);
    expect(chosenFor('src/areas/qr/plugin.ts')).toEqual([...ofQr, 'test/contract/routes.test.ts']);
  });

  it('include the part of a surface that imports the file, through its area or not', () => {
    const withPage = [...ofQr, 'test/surfaces/console/qr-files.test.ts'];
    expect(chosenFor('src/areas/qr/fields.ts')).toEqual(withPage);
    expect(chosenFor('src/areas/qr/views.ts')).toEqual([
      ...ofQr,
      'test/surfaces/graphql/parts.test.ts',
    ]);
  });

  it('of a surface are those of the nearest folder or name', () => {
    expect(chosenFor('src/surfaces/console/qr/labels/label.tsx')).toEqual([
      'test/surfaces/console/qr-files.test.ts',
    ]);
    expect(chosenFor('src/surfaces/console/layout.tsx')).toEqual([
      'test/surfaces/console/access.test.ts',
      'test/surfaces/console/qr-files.test.ts',
    ]);
    expect(chosenFor('src/surfaces/account/pages.tsx')).toEqual([]);
  });

  it('of the platform and of lib are their own and those of what imports them, not of all', () => {
    expect(chosenFor('src/platform/bus/feed.ts')).toEqual(['test/platform/bus/feed.test.ts']);
    expect(chosenFor('src/lib/ids.ts')).toEqual([...ofQr, 'test/lib/ids.test.ts']);
    expect(chosenFor('src/platform/process/logger.ts')).toEqual([]);
  });

  it('of the app, routes and schemas include those of the whole API', () => {
    expect(chosenFor('src/app/services.ts')).toEqual([
      'test/app/personal-data.test.ts',
      'test/contract/routes.test.ts',
    ]);
    expect(chosenFor('src/areas/qr/scans/routes.scan.ts')).toContain(
      'test/contract/routes.test.ts',
    );
    expect(chosenFor('src/areas/qr/store.ts')).not.toContain('test/contract/routes.test.ts');
  });

  it('of tables and migrations include those of personal data', () => {
    for (const path of ['src/areas/qr/tables.ts', 'src/areas/qr/migrations/0002-names.ts'])
      expect(chosenFor(path)).toEqual(['test/app/personal-data.test.ts', ...ofQr]);
  });

  it('of code include the checks of all source files, and for a page that of all markup', () => {
    expect(choose('src/areas/qr/store.ts')).toContainEqual({
      why: 'checking the source as a whole',
      tests: ['test/contract/texts.test.ts'],
    });
    expect(choose('src/areas/qr/page.tsx')).toContainEqual({
      why: 'checking the source as a whole',
      tests: sourceChecks,
    });
    expect(choose('docs/guides/qr-codes.md').flatMap((reason) => reason.tests)).toEqual([
      'test/guides/guides.test.ts',
    ]);
  });

  it('of tests and their support are those that import them', () => {
    expect(chosenFor('test/areas/nfc/taps.test.ts')).toEqual(['test/areas/nfc/taps.test.ts']);
    expect(chosenFor('test/areas/qr/support.ts')).toEqual([
      'test/areas/nfc/links.test.ts',
      'test/areas/qr/codes.test.ts',
    ]);
    expect(chosenFor('test/support/app.ts')).toEqual(
      expect.arrayContaining(['test/areas/nfc/taps.test.ts', 'test/areas/qr/codes.test.ts']),
    );
  });

  it('of what runs no test are none', () => {
    expect(choose('README.md', '.ci/run', 'LICENSE')).toEqual([]);
  });

  it('of the packages or the settings of vitest are all', () => {
    for (const path of ['package.json', 'package-lock.json', 'test/vitest.config.ts'])
      expect(choose(path).flatMap((reason) => reason.tests)).toHaveLength(tests.length);
  });

  it('appear once, for the first of several reasons', () => {
    const chosen = choose('test/areas/qr/codes.test.ts', 'src/areas/qr/schemas.ts');
    const paths = chosen.flatMap((reason) => reason.tests);
    expect(paths).toHaveLength(new Set(paths).size);
    expect(chosen[0]).toEqual({
      why: 'changed, or importing a changed file',
      tests: ['test/areas/qr/codes.test.ts'],
    });
  });
});

describe('the description of the chosen tests', () => {
  it('says what was changed, how many tests were chosen why, and that CI runs all', () => {
    const changed = ['src/areas/qr/drawing/png.ts', 'src/areas/qr/store.ts', 'README.md'];
    const chosen = [{ why: 'of the folder of a changed file', tests: ['a', 'b'] }];
    expect(describeChoice({ since: 'main', changed, total: 301 }, chosen)).toEqual([
      'Changed since main: 3 files: 2 in src/areas/qr, 1 in .',
      '    2 of the folder of a changed file',
      '2 of 301 test files run here, all of them in CI.',
    ]);
  });

  it('says so when nothing was changed', () => {
    expect(describeChoice({ since: 'HEAD', changed: [], total: 301 }, [])).toEqual([
      'Changed since HEAD: nothing',
      '0 of 301 test files run here, all of them in CI.',
    ]);
  });
});
