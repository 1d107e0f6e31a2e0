import { parseArgs } from 'node:util';
import { PLANTED, type Planted } from '#test/chaos/planted-faults';

export interface Arguments {
  readonly seed: number;
  readonly seconds: number;
  readonly backend: 'redis' | 'postgres';
  /** Status changes a second. */
  readonly rate: number;
  /** One long outage of this server instead of chaos: all but the first and last ten seconds. */
  readonly away: 'redis' | 'postgres' | undefined;
  /** Where to write the figures. */
  readonly json: string | undefined;
  /** Where to write everything that the processes log. */
  readonly logs: string | undefined;
  /** Run a build with this fault. */
  readonly planted: Planted | undefined;
  /** Play this fault's scenario instead of chaos; on an unharmed build unless the fault is planted too. */
  readonly scenario: Planted | undefined;
}

/**
 * `--seconds 120 --seed 7 --backend redis --rate 60 --json FILE --logs FILE`, with `--away redis` or `--away postgres` for one long
 * outage, or `--plant NAME`, or `--scenario NAME`.
 * @throws when one is not understood
 */
export function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '120' },
      seed: { type: 'string', default: '7' },
      backend: { type: 'string', default: 'redis' },
      rate: { type: 'string', default: '60' },
      away: { type: 'string' },
      json: { type: 'string' },
      logs: { type: 'string' },
      plant: { type: 'string' },
      scenario: { type: 'string' },
    },
  });
  if (values.backend !== 'redis' && values.backend !== 'postgres') {
    throw new Error('--backend is redis or postgres');
  }
  const { away } = values;
  if (away !== undefined && away !== 'redis' && away !== 'postgres') {
    throw new Error('--away is redis or postgres');
  }
  const planted = nameOf('--plant', values.plant);
  return {
    seed: whole('--seed', values.seed, 0),
    seconds: whole('--seconds', values.seconds, 5),
    backend: values.backend,
    rate: whole('--rate', values.rate, 1),
    away,
    json: values.json,
    logs: values.logs,
    planted,
    scenario: nameOf('--scenario', values.scenario) ?? planted,
  };
}

function whole(name: string, text: string, least: number): number {
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
