import { chromium } from 'playwright-core';
import type { Sample, Series } from '#test/bench/endurance-verdicts';
import { chromiumPath } from '#test/support/chromium-path';

const [WIDTH, HEIGHT] = [620, 320];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 14, 62, 34];
const COLORS = ['#1971c2', '#e8590c', '#2f9e44', '#9c36b5', '#868e96', '#e03131', '#0c8599', '#f08c00'];
const TICKS = 4;

interface Chart {
  readonly title: string;
  /** The least top of the axis. */
  readonly top: number;
  readonly lines: readonly (readonly [label: string, series: Series, scale?: number])[];
}

const CHARTS: readonly Chart[] = [
  {
    title: 'Memory, MiB (PostgreSQL without shared buffers)',
    top: 100,
    lines: [
      ['api', 'memory.api'],
      ['worker', 'memory.worker'],
      ['PostgreSQL', 'memory.postgres'],
      ['Redis', 'memory.redis'],
      ['heap of the api', 'heap.api'],
      ['heap of the worker', 'heap.worker'],
    ],
  },
  {
    title: 'Mean time of a statement, ms (each is a batch)',
    top: 4,
    lines: [
      ['accept', 'ms.accept'],
      ['fetch', 'ms.fetch'],
      ['record', 'ms.record'],
    ],
  },
  {
    title: 'Tables, MiB, and dead rows, thousands',
    top: 50,
    lines: [
      ['payments', 'size.payments'],
      ['idempotency_keys', 'size.idempotency_keys'],
      ['pending_deliveries', 'size.pending_deliveries'],
      ['history ÷ 100', 'size.history', 0.01],
      ['dead: payments', 'dead.payments', 0.001],
      ['dead: keys', 'dead.idempotency_keys', 0.001],
      ['dead: pending', 'dead.pending_deliveries', 0.001],
    ],
  },
  {
    title: 'Events a second ÷ 10, and latencies, ms',
    top: 100,
    lines: [
      ['delivered a second ÷ 10', 'rate.delivered', 0.1],
      ['accept p50', 'accept.p50'],
      ['accept p99', 'accept.p99'],
      ['arrival p50', 'arrival.p50'],
      ['arrival p99', 'arrival.p99'],
    ],
  },
];

/** Four charts over the time of a run, as a PNG. */
export async function takePicture(samples: readonly Sample[]): Promise<Uint8Array> {
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--disable-gpu', '--font-render-hinting=none', ...(isRoot ? ['--no-sandbox'] : [])],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 2 * WIDTH, height: 2 * HEIGHT } });
    const charts = CHARTS.map((chart, index) => svgOf(chart, samples, index)).join('');
    await page.setContent(
      `<body style="margin:0"><svg width="${String(2 * WIDTH)}" height="${String(2 * HEIGHT)}" font-family="sans-serif" font-size="11">${charts}</svg>`,
    );
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

function svgOf({ title, top, lines }: Chart, samples: readonly Sample[], index: number): string {
  const last = samples.at(-1)?.second ?? 1;
  const drawn = lines.map(([, series, scale = 1]) => samples.map((sample) => sample[series] * scale));
  const most = niceAbove(Math.max(top, ...drawn.flat().filter(Number.isFinite)));
  const x = (second: number): number => LEFT + (second / last) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM);
  const parts = [`<text x="${String(LEFT)}" y="20" font-size="14" font-weight="bold">${title}</text>`];
  for (let tick = 0; tick <= TICKS; tick += 1) {
    const [value, second] = [(most * tick) / TICKS, (last * tick) / TICKS];
    parts.push(
      `<path d="M${String(LEFT)} ${String(y(value))}H${String(WIDTH - RIGHT)}" stroke="#dee2e6"/>`,
      `<text x="${String(LEFT - 6)}" y="${String(y(value) + 4)}" text-anchor="end">${value.toLocaleString('en')}</text>`,
      `<text x="${String(x(second))}" y="${String(HEIGHT - 14)}" text-anchor="${tick === TICKS ? 'end' : 'middle'}">${(second / 60).toFixed(1)} min</text>`,
    );
  }
  for (const share of [1 / 6, 2 / 6])
    parts.push(
      `<path d="M${String(x(last * share))} ${String(TOP)}V${String(HEIGHT - BOTTOM)}" stroke="#868e96" stroke-dasharray="4 4"/>`,
    );
  let [labelX, labelY] = [LEFT, 38];
  for (const [number, [label]] of lines.entries()) {
    const color = COLORS[number % COLORS.length] ?? '';
    const points = samples.map(
      (sample, at) => `${x(sample.second).toFixed(1)},${y(drawn[number]?.[at] ?? 0).toFixed(1)}`,
    );
    const width = label.length * 6 + 28;
    if (labelX + width > WIDTH) [labelX, labelY] = [LEFT, labelY + 15];
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="1.5"/>`,
      `<rect x="${String(labelX)}" y="${String(labelY - 9)}" width="10" height="10" fill="${color}"/>`,
      `<text x="${String(labelX + 14)}" y="${String(labelY)}">${label}</text>`,
    );
    labelX += width;
  }
  const place = `translate(${String((index % 2) * WIDTH)} ${String(Math.floor(index / 2) * HEIGHT)})`;
  return `<g transform="${place}">${parts.join('')}</g>`;
}

/** The next number of 1, 2, 4, 6 or 8 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}
