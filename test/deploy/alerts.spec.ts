import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONSOLE_PATHS } from '#apps/api/src/console/console-paths';
import { DELIVERY_STATES, HEALTH_STATES, ISSUE_KINDS } from '#libs/contracts';
import { knownMetrics, seriesOf } from '#test/support/documented-metrics';

const PROJECT = join(import.meta.dirname, '../..');
const RULES = join(PROJECT, 'deploy/prometheus');
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string; console_url: string };
}
const { groups }: { groups: { rules: Rule[] }[] } = parse(read('deploy/prometheus/alerts.yml'));
const rules = groups.flatMap((group) => group.rules);

/** The metrics that an expression names. */
const metricsIn = (expr: string): string[] => expr.match(/\b(?:dispatcher|nodejs|process)_\w+/g) ?? [];

async function unknownIn(expressions: readonly string[]): Promise<string[]> {
  const series = new Set((await knownMetrics()).flatMap(seriesOf));
  return expressions.flatMap(metricsIn).filter((name) => !series.has(name));
}

/** The anchor that GitHub and GitLab derive from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

describe('deploy/prometheus/alerts.yml', () => {
  test('the alerts use only existing metrics', async () => {
    expect(rules.flatMap(({ expr }) => metricsIn(expr)).length).toBeGreaterThanOrEqual(rules.length);
    expect(await unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
  });

  test('each alert links to a section of the runbook and has a known severity', () => {
    const anchors = [...read('docs/runbook.md').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      anchorOf(heading ?? ''),
    );
    const base = '{{ or $externalLabels.dispatcher_docs "docs" }}';
    const targets = new Set(anchors.map((anchor) => `${base}/runbook.md#${anchor}`));
    expect(
      rules.map(({ annotations }) => annotations.runbook_url).filter((url) => !targets.has(url)),
    ).toEqual([]);
    expect(rules.filter(({ labels }) => !['page', 'ticket'].includes(labels.severity))).toEqual([]);
  });

  test('each alert links to a screen of the console, with filters that the screen has', () => {
    const base = '{{ $externalLabels.dispatcher_console }}';
    const paths = rules.map(({ annotations }) => annotations.console_url.replace(base, ''));
    const screens = ['', ...CONSOLE_PATHS];
    expect(paths.filter((path) => !screens.includes(path.split(/[/?]/)[1] ?? '-'))).toEqual([]);
    const values = new Set<string>([...HEALTH_STATES, ...ISSUE_KINDS, ...DELIVERY_STATES]);
    const filters = paths.flatMap((path) =>
      [...new URLSearchParams(path.split('?')[1])].map(([, value]) => value),
    );
    expect(filters.filter((value) => !values.has(value))).toEqual([]);
  });

  test('each alert has a test in which it fires and one in which it does not', () => {
    const { tests }: { tests: { promql_expr_test?: { expr: string; exp_samples: object[] }[] }[] } = parse(
      read('deploy/prometheus/alerts.test.yml'),
    );
    const expectations = tests.flatMap(({ promql_expr_test: of = [] }) => of);
    const isTested = (alert: string, fires: boolean) =>
      expectations.some(
        ({ expr, exp_samples: samples }) => expr.includes(`"${alert}"`) && samples.length > 0 === fires,
      );
    expect(rules.filter(({ alert }) => !isTested(alert, true) || !isTested(alert, false))).toEqual([]);
  });
});

const isInstalled = spawnSync('promtool', ['--version']).status === 0;
const isRequired = process.env['CI'] !== undefined;

(isInstalled || isRequired ? describe : describe.skip)('promtool', () => {
  test.each(['check rules alerts.yml', 'test rules alerts.test.yml'])('promtool %s succeeds', (command) => {
    const { stdout, stderr } = spawnSync('promtool', command.split(' '), { cwd: RULES, encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toMatch(/SUCCESS/);
    expect(`${stdout}${stderr}`).not.toMatch(/FAILED/);
  });
});

describe('deploy/grafana/dashboard.json', () => {
  interface Panel {
    id: number;
    title: string;
    type: string;
    targets?: { expr: string }[];
  }
  const { panels }: { panels: Panel[] } = JSON.parse(read('deploy/grafana/dashboard.json'));

  test('the dashboard uses only existing metrics', async () => {
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(20);
    expect(await unknownIn(expressions)).toEqual([]);
  });

  test('the dashboard shows every metric of the product', async () => {
    const shown = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))),
    );
    const own = (await knownMetrics()).filter(({ name }) => name.startsWith('dispatcher_'));
    expect(own.filter((metric) => !seriesOf(metric).some((series) => shown.has(series)))).toEqual([]);
  });
});
