import { round } from '#test/bench/engine/report';

/** One measured figure beside what bounds it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same without the product, measured in the same run; null where there is none. */
  readonly limit: number | null;
  /** `value / limit`; null of a limit of 0, too. */
  readonly ratio: number | null;
  /** What it is made of, or what belongs to it, by name and in its unit; null of most. */
  readonly parts: Readonly<Record<string, number>> | null;
  /** What it says, and what the limit is, in words. */
  readonly about: string;
  /** What it has to be, where it has to be something; `isMet` says whether it is, null that it cannot be told. */
  readonly bar: string | null;
  readonly isMet: boolean | null;
}

/** What a figure must be: of its ratio, or of itself. */
export interface Bar {
  readonly of: 'ratio' | 'value';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** What a figure is compared with and made of. */
interface Beside {
  readonly limit?: number | null;
  readonly bar?: Bar | undefined;
  readonly parts?: Readonly<Record<string, number>>;
}

/** The run's figures, in the order in which they were measured; each is printed at once. */
export class Figures {
  readonly all: Figure[] = [];

  add(
    name: string,
    value: number,
    unit: string,
    about: string,
    { limit = null, bar, parts }: Beside = {},
  ): void {
    const ratio = limit === null || limit === 0 ? null : round(value / limit, 3);
    const judged = bar?.of === 'ratio' ? ratio : value;
    const isMet =
      bar === undefined || judged === null
        ? null
        : judged >= (bar.atLeast ?? -Infinity) && judged <= (bar.atMost ?? Infinity);
    const figure: Figure = {
      name,
      value: rounded(value),
      unit,
      limit: limit === null ? null : rounded(limit),
      ratio,
      parts:
        parts === undefined
          ? null
          : Object.fromEntries(Object.entries(parts).map(([part, of]) => [part, rounded(of)])),
      about,
      bar: bar === undefined ? null : barInWords(bar),
      isMet,
    };
    this.all.push(figure);
    process.stdout.write(`${inWords(figure)}\n`);
  }

  /** @throws when it was not measured */
  named(name: string): Figure {
    const figure = this.all.find((one) => one.name === name);
    if (figure === undefined) throw new Error(`${name} was not measured`);
    return figure;
  }

  valueOf(name: string): number {
    return this.named(name).value;
  }
}

const rounded = (value: number): number => round(value, value < 10 ? 3 : 1);

/** The parts as a table cell or a line names them: `api 2.5, worker 3.1`; empty without any. */
export const partsInWords = ({ parts }: Figure): string =>
  Object.entries(parts ?? {})
    .map(([part, of]) => `${part} ${String(of)}`)
    .join(', ');

const barInWords = ({ of, atLeast, atMost }: Bar): string =>
  `${of} ${atLeast === undefined ? `at most ${String(atMost)}` : `at least ${String(atLeast)}`}`;

function inWords(figure: Figure): string {
  const { name, value, unit, limit, ratio, parts, bar, isMet } = figure;
  const beside = limit === null ? '' : `  beside ${String(limit)}: ${String(ratio ?? '-')}`;
  const judged =
    bar === null ? '' : `  (${bar}: ${isMet === null ? 'cannot be told' : isMet ? 'met' : 'NOT MET'})`;
  const made = parts === null ? '' : `  (${partsInWords(figure)})`;
  return `${name.padEnd(26)} ${String(value).padStart(10)} ${unit}${beside}${made}${judged}`;
}
