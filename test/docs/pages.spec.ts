import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    // The Helm chart has links to other folders of deploy.
    .filter((path) => realpathSync(join(ROOT, path)) === join(realpathSync(ROOT), path));
const FOLDERS = ['docs', 'deploy', 'verifiers', 'packages', 'examples'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...FOLDERS.flatMap(pagesIn)];
const ADRS = pagesIn('docs/adr');

const withoutCode = (page: string): string => page.replaceAll(/^```.*?^```$/gms, '');

/** The sentences in the paragraphs, list items and table cells of a page. A link is replaced by its text. */
const sentencesOf = (page: string): string[] =>
  withoutCode(page)
    .replaceAll(/!?\[(.*?)\]\(.*?\)/g, '$1')
    .split(/\n\n|\n(?=[#|\-\d])|(?<=[.!?:;])\s| \| /)
    .map((sentence) => sentence.replaceAll(/[|#*]/g, ' ').trim())
    .filter((sentence) => sentence !== '');

/** The anchors that GitHub and GitLab derive from a page's headings. */
const anchorsOf = (path: string): string[] =>
  [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

function brokenLinksOf(page: string): string[] {
  const targets = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
}

describe('documents', () => {
  test('the documents have no relative link to a missing page, file or heading', () => {
    expect(Object.fromEntries(PAGES.map((page) => [page, brokenLinksOf(page)]))).toEqual(
      Object.fromEntries(PAGES.map((page) => [page, []])),
    );
  });

  test('the documents name only npm scripts that package.json has', () => {
    const [, scripts = ''] = /"scripts": \{(.*?)\n  \}/s.exec(read('package.json')) ?? [];
    const named = PAGES.flatMap((page) => [...read(page).matchAll(/npm run ([\w:-]+)/g)]).map(
      ([, script = '']) => script,
    );
    expect(named).not.toEqual([]);
    expect([...new Set(named)].filter((script) => !scripts.includes(`"${script}":`))).toEqual([]);
  });

  test('docs/README.md has an entry for each page of docs', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter(
      (name) => name.endsWith('.md') && name !== 'README.md',
    );
    const index = read('docs/README.md');
    expect(pages.filter((page) => !index.includes(`(${page})`))).toEqual([]);
  });
});

describe('README.md', () => {
  test('README.md has no sentence of more than 25 words', () => {
    const tooLong = sentencesOf(read('README.md')).filter((sentence) => sentence.split(/\s+/).length > 25);
    expect(tooLong).toEqual([]);
  });
});

describe('decision records', () => {
  test('there are at most 24 decision records of at most 60 lines each', () => {
    expect(ADRS.length).toBeLessThanOrEqual(24);
    expect(ADRS.filter((path) => read(path).split('\n').length > 60)).toEqual([]);
  });

  test.each(['Context', 'Decision', 'Considered', 'Consequences'])(
    'each decision record has a section %s',
    (section) => {
      const heading = new RegExp(`^(## ${section}$|\\*\\*${section}\\.\\*\\*)`, 'm');
      expect(ADRS.filter((path) => !heading.test(read(path)))).toEqual([]);
    },
  );

  test('code and pages refer only to existing decision records', () => {
    const sources = ['apps', 'libs', 'packages', 'examples', 'test', 'deploy'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|tsx|md|yml|yaml)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const numbers = new Set(ADRS.map((path) => Number(/\/(\d{4})-/.exec(path)?.[1])));
    const unknown = [...sources, ...PAGES].flatMap((path) => {
      const text = read(path);
      const named = [...text.matchAll(/\bADR (\d+)|\badr\/(\d{4})-/g)].map(([, short, long]) =>
        Number(short ?? long),
      );
      return named.filter((number) => !numbers.has(number)).map((number) => `${path}: ${String(number)}`);
    });
    expect(unknown).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  test.each(['checked', 'routed', 'signed', 'retried', 'fenced', 'expired', 'replayed', 'shown'])(
    'docs/architecture.md names existing files where an event is %s',
    (what) => {
      const row = new RegExp(`^\\| ${what} \\|.*$`, 'm').exec(read('docs/architecture.md'))?.[0] ?? '';
      const files = [...row.matchAll(/`((?:apps|libs)\/\S+?)`/g)].map(([, path = '']) => path);
      expect(files).not.toEqual([]);
      expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    },
  );
});
