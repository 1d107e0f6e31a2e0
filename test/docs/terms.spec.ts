import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/terms.md'), 'utf8');
const [TERMS = '', AVOIDED = '', AVOIDED_IN_PORTAL = ''] = PAGE.split('\n## ');

const terms = [...TERMS.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, term]) => term ?? '');
const wordsIn = (section: string): string[] =>
  [...section.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) =>
    [...(cell ?? '').matchAll(/`(.+?)`/g)].map(([, word]) => word ?? ''),
  );
const avoided = wordsIn(AVOIDED);
const avoidedInPortal = wordsIn(AVOIDED_IN_PORTAL);

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/\.spec\./.test(name))
    .map((name) => join(folder, name));

/** The texts of a source file that a person reads: strings, templates and JSX text, without names and comments. */
function textsOf(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateExpression(node))
      texts.push(
        node
          .getText(source)
          .replaceAll(/\$\{.*?\}/gs, '…')
          .replaceAll(/\s+/g, ' '),
      );
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** Whether a sentence uses the word. The parts of an identifier, joined by `_`, `-`, `.` or a colon, do not count. */
const isUsed = (word: string, text: string): boolean =>
  new RegExp(String.raw`(?<![\w.:-])${word.replaceAll(' ', String.raw`\s+`)}(?![\w:-]|\.\w)`, 'i').test(text);

const faultsOf = (place: string, texts: readonly string[], words = avoided): string[] =>
  texts.flatMap((text) =>
    words.filter((word) => isUsed(word, text)).map((word) => `${place}: “${word}” in ${text.trim()}`),
  );

describe('docs/terms.md', () => {
  test('docs/terms.md defines at most 30 terms, each once', () => {
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.length).toBeLessThanOrEqual(30);
    expect(new Set(terms).size).toBe(terms.length);
  });

  test.each([
    ['delivery states', 'apps/console/src/formats/state-badge.tsx', 'STATES'],
    ['health states', 'apps/console/src/formats/health-words.tsx', 'HEALTH'],
  ])('docs/terms.md defines all labels of %s', (_what, file, constant) => {
    const labels = labelsIn(file, constant);
    expect(labels.length).toBeGreaterThan(4);
    expect(labels.filter((label) => !terms.includes(label))).toEqual([]);
  });
});

/** The `label`s of a constant object. */
function labelsIn(file: string, constant: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const from = text.indexOf(`const ${constant}`);
  const to = text.indexOf('\n};', from);
  return [...text.slice(from, to).matchAll(/\blabel: '(.+?)'/g)].map(([, label]) => label ?? '');
}

describe('avoided words', () => {
  test('no text of the console uses a word that docs/terms.md avoids', () => {
    const files = filesIn('apps/console/src', /\.tsx?$/);
    expect(files.flatMap((file) => faultsOf(file, textsOf(file)))).toEqual([]);
  });

  test('no text of the portal or of a mail to a customer uses a word that docs/terms.md avoids there', () => {
    const files = [
      ...['apps/console/src/features/portal', 'apps/api/src/basic-portal'].flatMap((folder) =>
        filesIn(folder, /\.tsx?$/),
      ),
      'libs/channels/src/alert-message.ts',
      'apps/worker/src/channels/contact-mail.ts',
    ];
    // A label or a sentence: values such as 'dead' are not shown.
    const shown = (file: string): string[] => textsOf(file).filter((text) => /[A-Z]| \w/.test(text.trim()));
    expect(avoidedInPortal.length).toBeGreaterThan(5);
    expect(files.flatMap((file) => faultsOf(file, shown(file), avoidedInPortal))).toEqual([]);
  });

  test('no description of the API uses a word that docs/terms.md avoids', () => {
    const document = readFileSync(join(ROOT, 'packages/client/src/openapi.ts'), 'utf8');
    const sentences = [...document.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, text]) =>
      (text ?? '').replaceAll(/\s*\n\s*\* ?/g, ' '),
    );
    expect(sentences.length).toBeGreaterThan(100);
    expect(faultsOf('openapi', sentences)).toEqual([]);
  });

  test('no error, advice or audit text of the processes uses a word that docs/terms.md avoids', () => {
    const files = [
      'apps/api/src',
      'apps/worker/src',
      'libs/policy/src',
      'libs/signing/src',
      'libs/egress/src',
    ]
      .flatMap((folder) => filesIn(folder, /\.ts$/))
      .filter((file) => !file.includes('/testing/'));
    expect(files.flatMap((file) => faultsOf(file, textsOf(file)))).toEqual([]);
  });

  test.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/dashboard.json', 'docs/runbook.md'])(
    '%s uses no word that docs/terms.md avoids',
    (file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect(faultsOf(file, text.split('\n'))).toEqual([]);
    },
  );
});
