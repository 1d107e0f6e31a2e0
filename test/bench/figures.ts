import { say } from '#test/bench/numbers';

/** One measured figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The figure that this one is compared with, measured in the same run; null if there is none. */
  readonly reference: number | null;
  /** `value / reference`. */
  readonly ratio: number | null;
  /** The parts of the value, in its unit. */
  readonly parts: Readonly<Record<string, number>> | null;
  /** Explains the figure and its reference. */
  readonly about: string;
  /** The target, in words, and whether it is met. */
  readonly target: string | null;
  readonly isMet: boolean | null;
}

/** What a figure's ratio, or the figure itself, should be. */
export interface Target {
  readonly of: 'ratio' | 'value';
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface Details {
  readonly reference?: number | null;
  readonly target?: Target;
  readonly parts?: Readonly<Record<string, number>>;
}

/** The figures of a run, in the order of their measurement; each is printed at once. */
export class Figures {
  constructor(
    private readonly prefix = '',
    readonly all: Figure[] = [],
  ) {}

  /** Adds to the same list, with a prefix in each name. */
  prefixed(prefix: string): Figures {
    return new Figures(prefix, this.all);
  }

  add(name: string, value: number, unit: string, about: string, details: Details = {}): void {
    const { reference = null, target, parts } = details;
    const ratio = reference === null || reference === 0 ? null : Number((value / reference).toFixed(3));
    const judged = target?.of === 'ratio' ? ratio : value;
    const figure: Figure = {
      name: this.prefix + name,
      value: rounded(value),
      unit,
      reference: reference === null ? null : rounded(reference),
      ratio,
      parts:
        parts === undefined
          ? null
          : Object.fromEntries(Object.entries(parts).map(([part, of]) => [part, rounded(of)])),
      about,
      target: target === undefined ? null : targetInWords(target),
      isMet:
        target === undefined || judged === null
          ? null
          : judged >= (target.atLeast ?? -Infinity) && judged <= (target.atMost ?? Infinity),
    };
    this.all.push(figure);
    say(inWords(figure));
  }

  /** @throws when the figure was not measured */
  valueOf(name: string): number {
    const figure = this.all.find((one) => one.name === this.prefix + name);
    if (figure === undefined) throw new Error(`${this.prefix}${name} was not measured`);
    return figure.value;
  }
}

/** The parts for a table cell or a line: `api 2.5, worker 3.1`; empty without parts. */
export const partsInWords = ({ parts }: Figure): string =>
  Object.entries(parts ?? {})
    .map(([part, of]) => `${part} ${String(of)}`)
    .join(', ');

const rounded = (value: number): number => Number(value.toFixed(value < 10 ? 3 : 1));

const targetInWords = ({ of, atLeast, atMost }: Target): string =>
  `${of} ${atLeast === undefined ? `at most ${String(atMost)}` : `at least ${String(atLeast)}`}`;

function inWords(figure: Figure): string {
  const { name, value, unit, reference, ratio, parts, target, isMet } = figure;
  const compared = reference === null ? '' : `  reference ${String(reference)}: ratio ${String(ratio)}`;
  const judged = target === null ? '' : `  (${target}: ${isMet === true ? 'met' : 'NOT MET'})`;
  const details = parts === null ? '' : `  (${partsInWords(figure)})`;
  return `${name.padEnd(30)} ${String(value).padStart(10)} ${unit}${compared}${details}${judged}`;
}
