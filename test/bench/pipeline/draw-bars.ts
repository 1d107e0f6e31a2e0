import { init } from 'echarts';

/** A chart of horizontal bars. */
export interface Bars {
  readonly title: string;
  readonly unit: string;
  /** What the bars stand for, from the top. */
  readonly names: readonly string[];
  /** A series' values, in the order of the names; null leaves a gap. */
  readonly series: readonly {
    readonly name: string;
    readonly colour: Colour;
    readonly values: readonly (number | null)[];
  }[];
  /** Where a line shows what would be ideal. */
  readonly mark?: number;
}

/** For light and for dark, so that each is readable on its ground. */
const COLOURS = {
  ink: ['#1f2328', '#e6edf3'],
  line: ['#d1d9e0', '#3d444d'],
  blue: ['#0969da', '#4493f8'],
  grey: ['#9198a1', '#656c76'],
  purple: ['#8250df', '#ab7df8'],
} as const;

export type Colour = Exclude<keyof typeof COLOURS, 'ink' | 'line'>;

const WIDTH = 860;
const BAR = 18;
const INK = 'var(--ink)';
const LINE = { lineStyle: { color: 'var(--line)' } };

/** The chart as an SVG document, which follows the reader's preference for light or dark. */
export function drawBars({ title, unit, names, series, mark }: Bars): string {
  const rows = names.length * (series.length + 0.6);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: 118 + rows * BAR });
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: 'system-ui, sans-serif' },
    title: { text: title, left: 0, textStyle: { color: INK, fontSize: 15 } },
    legend: { show: series.length > 1, top: 36, left: 0, itemGap: 30, textStyle: { color: INK } },
    grid: { left: 190, right: 80, top: 70, bottom: 44 },
    xAxis: {
      type: 'value',
      name: unit,
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: { color: INK },
      axisLabel: { color: INK },
      splitLine: LINE,
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: [...names],
      axisLabel: { color: INK },
      axisLine: LINE,
      axisTick: { show: false },
    },
    series: series.map(({ name, colour, values }, place) => ({
      type: 'bar',
      silent: true,
      name,
      data: [...values],
      barGap: '10%',
      itemStyle: { color: `var(--${colour})` },
      label: {
        show: true,
        // A number beside its bar would stand on the line.
        position: mark === undefined ? 'right' : 'insideRight',
        color: mark === undefined ? INK : 'var(--ground)',
        formatter: ({ value }: { readonly value: unknown }) =>
          typeof value === 'number' ? inWords(value) : '',
      },
      ...(mark === undefined || place > 0
        ? {}
        : {
            markLine: {
              silent: true,
              symbol: 'none',
              label: { show: false },
              lineStyle: { color: INK },
              data: [{ xAxis: mark }],
            },
          }),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg.replace(/^(<svg [^>]*)>/, `$1 role="img">\n<title>${title}</title>\n${STYLE}`)}\n`;
}

const inWords = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));

const palette = (place: 0 | 1, ground: string): string =>
  [`--ground:${ground}`, ...Object.entries(COLOURS).map(([name, pair]) => `--${name}:${pair[place]}`)].join(
    ';',
  );

const STYLE = `<style>:root{${palette(0, '#ffffff')}}@media(prefers-color-scheme:dark){:root{${palette(1, '#0d1117')}}}</style>`;
