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

/** The run's figures, in the order in which they were measured; each is printed at once. */
export class Figures {
  readonly all: Figure[] = [];

  add(
    name: string,
    value: number,
    unit: string,
    about: string,
    { limit = null, bar }: { readonly limit?: number | null; readonly bar?: Bar | undefined } = {},
  ): void {
    const ratio = limit === null || limit === 0 ? null : round(value / limit, 3);
    const judged = bar?.of === 'ratio' ? ratio : value;
    const isMet =
      bar === undefined || judged === null
        ? null
        : judged >= (bar.atLeast ?? -Infinity) && judged <= (bar.atMost ?? Infinity);
    const figure: Figure = {
      name,
      value: round(value, value < 10 ? 3 : 1),
      unit,
      limit: limit === null ? null : round(limit, limit < 10 ? 3 : 1),
      ratio,
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

const barInWords = ({ of, atLeast, atMost }: Bar): string =>
  `${of} ${atLeast === undefined ? `at most ${String(atMost)}` : `at least ${String(atLeast)}`}`;

function inWords({ name, value, unit, limit, ratio, bar, isMet }: Figure): string {
  const beside = limit === null ? '' : `  beside ${String(limit)}: ${String(ratio ?? '-')}`;
  const judged =
    bar === null ? '' : `  (${bar}: ${isMet === null ? 'cannot be told' : isMet ? 'met' : 'NOT MET'})`;
  return `${name.padEnd(26)} ${String(value).padStart(10)} ${unit}${beside}${judged}`;
}
