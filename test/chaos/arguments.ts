import { parseArgs } from 'node:util';
import { PLANTED, type Planted } from '#test/chaos/planted-faults';
import { REGIMES, STEADY, type Regime } from '#test/chaos/regime-scenarios';

const SERVERS = ['redis', 'postgres'] as const;

export interface Arguments {
  readonly seed: number;
  readonly seconds: number;
  readonly backend: (typeof SERVERS)[number];
  /** Status changes a second. */
  readonly rate: number;
  /** One long outage of this server instead of all faults, except for the first and last ten seconds. */
  readonly outage: (typeof SERVERS)[number] | undefined;
  /** File for the figures. */
  readonly json: string | undefined;
  /** File for all logs of the processes. */
  readonly logs: string | undefined;
  /** Plant this fault in the system. */
  readonly planted: Planted | undefined;
  /** Run this regime, or this fault's scenario (without the fault unless it is planted, too), instead of all faults. */
  readonly scenario: Planted | Regime | undefined;
}

/**
 * Reads `--seconds 120 --seed 7 --backend redis --rate 60 --json FILE --logs FILE` (`--seconds 600 --rate 200` by default
 * with `--scenario steady`), with `--outage redis` or `--outage postgres`,
 * `--plant NAME` or `--scenario NAME`.
 * @throws when an argument is not valid
 */
export function readArguments(args: string[]): Arguments {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      seconds: text,
      seed: { ...text, default: '7' },
      backend: { ...text, default: 'redis' },
      rate: text,
      outage: text,
      json: text,
      logs: text,
      plant: text,
      scenario: text,
    },
  });
  const planted = oneOf(PLANTED, '--plant', values.plant);
  const scenario = oneOf([...PLANTED, ...REGIMES], '--scenario', values.scenario) ?? planted;
  const usual = scenario === 'steady' ? STEADY : { seconds: 120, rate: 60 };
  return {
    seed: integer('--seed', values.seed, 0),
    seconds: integer('--seconds', values.seconds ?? String(usual.seconds), 5),
    backend: oneOf(SERVERS, '--backend', values.backend) ?? 'redis',
    rate: integer('--rate', values.rate ?? String(usual.rate), 1),
    outage: oneOf(SERVERS, '--outage', values.outage),
    json: values.json,
    logs: values.logs,
    planted,
    scenario,
  };
}

function integer(option: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`${option} is an integer from ${least}`);
  return value;
}

function oneOf<T extends string>(
  names: readonly T[],
  option: string,
  text: string | undefined,
): T | undefined {
  const found = names.find((name) => name === text);
  if (text !== undefined && found === undefined) throw new Error(`${option} is one of ${names.join(', ')}`);
  return found;
}
