import type { IssueDto } from '../../resources/issues/issue.dto.js';
import type { ConsumerTroubleDto, OverviewDto } from './overview.dto.js';

/** What the console's Overview shows. */
export interface Overview {
  readonly queue: OverviewDto;
  /** Issues that are not resolved. */
  readonly issues: readonly IssueDto[];
}

/** More rows do not fit a terminal. */
const MOST_ROWS = 15;

/** Whether nothing is sent, a consumer needs attention, or an issue is not resolved. */
export function needsAttention({ queue, issues }: Overview): boolean {
  return (
    queue.workers.length === 0 ||
    queue.sending.state === 'paused' ||
    queue.trouble.some((row) => !isPlanned(row)) ||
    issues.length > 0
  );
}

/** The Overview as lines for a terminal. Names come from people, so control characters are removed. */
export function overviewText(overview: Overview): string {
  const { queue, issues } = overview;
  const asOf = new Date(queue.asOf);
  const trouble = queue.trouble.filter((row) => !isPlanned(row));
  const lines = [
    `${needsAttention(overview) ? 'NEEDS ATTENTION' : 'Nothing needs attention'}, as of ${asOf.toISOString()}`,
    `Sending: ${sendingLine(queue)}`,
    ...queue.missingWorkers.map(
      ({ host, pid, lastSeenAt }) =>
        `Missing worker: ${host}, process ${String(pid)}, silent for ${ageOf(lastSeenAt, asOf)}`,
    ),
    ...figureLines(queue, asOf),
    ...section(
      `Issues: ${String(issues.length)}`,
      issues.map((issue) => issueRow(issue, asOf)),
    ),
    ...section(
      `Consumers that need attention: ${String(trouble.length)}`,
      trouble.map((row) => troubleRow(row, asOf)),
    ),
    ...section(
      `Waiting deliveries: ${String(queue.figures.waiting)}`,
      queue.states
        .filter(({ count }) => count > 0)
        .map(({ state, holdReason, count, countIsCapped, oldestDueAt }) => [
          holdReason === null ? state : `${state}, ${holdReason}`,
          `${String(count)}${countIsCapped ? ' or more' : ''}`,
          oldestDueAt === null ? '' : `oldest ${ageOf(oldestDueAt, asOf)}`,
        ]),
    ),
  ];
  return `${lines.map((line) => line.replaceAll(/\p{C}/gu, ' ').trimEnd()).join('\n')}\n`;
}

/** As the console: a pause with a planned end needs nobody, unless something else does. */
const isPlanned = ({ pausedUntil, health: { planned, dead, notices } }: ConsumerTroubleDto): boolean =>
  planned && pausedUntil !== null && dead.count === 0 && notices.length === 0;

function sendingLine({ sending, workers }: OverviewDto): string {
  if (sending.state === 'paused')
    return `PAUSED by ${sending.pausedBy ?? 'a person'} since ${sending.pausedAt ?? ''}: ${sending.pauseReason ?? ''}`;
  if (workers.length === 0) return 'NOTHING IS SENT: no worker is alive. Start one, or see its log';
  const busy = workers.reduce((sum, worker) => sum + worker.sending, 0);
  return `active, ${String(workers.length)} ${workers.length === 1 ? 'worker' : 'workers'}, ${String(busy)} requests in flight`;
}

function figureLines({ figures, backlog, unrouted }: OverviewDto, asOf: Date): string[] {
  const { oldestDueAt, dead, consumers, consumersReceivingAll, successShare, consumersDown } = figures;
  const { inPerMinute, outPerMinute } = backlog;
  return [
    `Last 5 minutes: ${String(inPerMinute)} in and ${String(outPerMinute)} out per minute`,
    `Oldest overdue: ${oldestDueAt === null ? 'none' : ageOf(oldestDueAt, asOf)}`,
    `Dead deliveries to handle: ${String(dead.count)}`,
    `Consumers that receive everything: ${String(consumersReceivingAll)} of ${String(consumers)}`,
    `Successful attempts to them in 15 minutes: ${successShare === null ? 'no attempts' : `${(successShare * 100).toFixed(1)} %`}`,
    `Consumers down: ${String(consumersDown)}`,
    ...(unrouted.count === 0 ? [] : [`New events without a consumer: ${String(unrouted.count)}`]),
  ];
}

const issueRow = (issue: IssueDto, asOf: Date): string[] => [
  issue.kind,
  issue.consumerName ?? 'installation',
  ageOf(issue.openedAt, asOf),
  issue.acknowledgedBy === null ? 'open' : `acknowledged by ${issue.acknowledgedBy}`,
  issue.summary,
];

const troubleRow = ({ name, contact, health }: ConsumerTroubleDto, asOf: Date): string[] => [
  name,
  health.state,
  health.since === null ? '' : ageOf(health.since, asOf),
  `${String(health.waiting)} waiting`,
  health.cause?.words ?? health.summary,
  contact ?? 'no contact',
];

/** A heading, and its rows in columns. */
function section(heading: string, rows: readonly (readonly string[])[]): string[] {
  const shown = rows.slice(0, MOST_ROWS);
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => row[column]?.length ?? 0)),
  );
  const hidden = rows.length - shown.length;
  return [
    '',
    heading,
    ...shown.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`),
    ...(hidden > 0 ? [`  and ${String(hidden)} more in the console`] : []),
  ];
}

/** `2 d 3 h`, `5 h 12 min`, `28 min`, `40 s`. */
function ageOf(at: string, asOf: Date): string {
  const seconds = Math.max(0, Math.round((asOf.getTime() - Date.parse(at)) / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${String(Math.floor(hours / 24))} d ${String(hours % 24)} h`;
  if (hours > 0) return `${String(hours)} h ${String(minutes % 60)} min`;
  return minutes > 0 ? `${String(minutes)} min` : `${String(seconds)} s`;
}
