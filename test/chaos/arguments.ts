import { parseArgs } from 'node:util';
import { PLANTED, type Planted } from '#test/chaos/planted-faults';

export interface Arguments {
  readonly seed: number;
  readonly seconds: number;
  readonly backend: 'redis' | 'postgres';
  /** Status changes a second. */
  readonly rate: number;
  /** One long outage of this server instead of all faults, except for the first and last ten seconds. */
  readonly outage: 'redis' | 'postgres' | undefined;
  /** File for the figures. */
  readonly json: string | undefined;
  /** File for all logs of the processes. */
  readonly logs: string | undefined;
  /** Plant this fault in the system. */
  readonly planted: Planted | undefined;
  /** Run this fault's scenario instead of all faults; without the fault unless it is planted, too. */
  readonly scenario: Planted | undefined;
}

/**
 * Reads `--seconds 120 --seed 7 --backend redis --rate 60 --json FILE --logs FILE`, with `--outage redis` or `--outage postgres`,
 * `--plant NAME` or `--scenario NAME`.
 * @throws when an argument is not valid
 */
export function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '120' },
      seed: { type: 'string', default: '7' },
      backend: { type: 'string', default: 'redis' },
      rate: { type: 'string', default: '60' },
      outage: { type: 'string' },
      json: { type: 'string' },
      logs: { type: 'string' },
      plant: { type: 'string' },
      scenario: { type: 'string' },
    },
  });
  if (values.backend !== 'redis' && values.backend !== 'postgres') {
    throw new Error('--backend is redis or postgres');
  }
  const { outage } = values;
  if (outage !== undefined && outage !== 'redis' && outage !== 'postgres') {
    throw new Error('--outage is redis or postgres');
  }
  const planted = nameOf('--plant', values.plant);
  return {
    seed: integer('--seed', values.seed, 0),
    seconds: integer('--seconds', values.seconds, 5),
    backend: values.backend,
    rate: integer('--rate', values.rate, 1),
    outage,
    json: values.json,
    logs: values.logs,
    planted,
    scenario: nameOf('--scenario', values.scenario) ?? planted,
  };
}

function integer(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`${name} is a whole number from ${least}`);
  return value;
}

function nameOf(option: string, text: string | undefined): Planted | undefined {
  if (text === undefined) return undefined;
  const found = PLANTED.find((name) => name === text);
  if (found === undefined) throw new Error(`${option} is one of ${PLANTED.join(', ')}`);
  return found;
}
