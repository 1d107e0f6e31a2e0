import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Bench } from '#test/bench/bench';
import type { Product } from '#test/bench/environment';
import { everydayOf, EVERYDAY_PER_SECOND } from '#test/bench/everyday';
import { Figures } from '#test/bench/figures';
import { median, say } from '#test/bench/numbers';
import type { Consumers, Rig } from '#test/bench/rig';
import { sustained64 } from '#test/bench/sustained-64';
import { buildWebhookX, WebhookX } from '#test/bench/webhookx';
import { temporaryFolder } from '#test/support/temporary-folder';

/** The figures of one system in one round, and the parts of those of processor time. */
type Measured = Readonly<Record<string, { readonly value: number; readonly parts?: Parts }>>;
type Parts = Readonly<Record<string, number>>;

/** A figure of the product and of its peer, each the median of all rounds. */
export interface Beside {
  readonly name: string;
  readonly unit: 'ms' | '1/s';
  readonly product: number;
  readonly peer: number;
  readonly productParts: Parts;
  readonly peerParts: Parts;
}

export interface BesideRun {
  readonly figures: readonly Beside[];
  readonly rounds: number;
  /** Of the product, the peer, and what both ran on. */
  readonly versions: Readonly<Record<string, string>>;
}

interface BesideOptions {
  readonly source: string;
  readonly dist: string;
  readonly commit: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpS: number;
}

/** The same loads through the product and WebhookX in turns, on Debian's PostgreSQL 15 and Redis with their defaults. */
export async function measureBeside(options: BesideOptions): Promise<BesideRun> {
  const folder = await temporaryFolder('webhookx');
  try {
    const { program, version, go } = await buildWebhookX(options.source, folder);
    const versions = {
      'this product': `${options.commit}, Node ${process.version}`,
      WebhookX: `${version}, ${go}`,
      PostgreSQL: await versionOf('/usr/lib/postgresql/15/bin/postgres'),
      Redis: await versionOf('redis-server'),
    };
    for (const [of, text] of Object.entries(versions)) say(`${of}: ${text}`);
    const systems = {
      product: () => openProduct({ dist: options.dist, servers: 'debian' }),
      peer: () => WebhookX.openYoung(program, folder),
    };
    const measured: Record<keyof typeof systems, Measured[]> = { product: [], peer: [] };
    for (let round = 0; round < options.rounds; round += 1)
      for (const system of ['product', 'peer'] as const) {
        const figures = await measureRound(systems[system], options);
        measured[system].push(figures);
        for (const [name, { value }] of Object.entries(figures))
          say(`${String(round + 1)} ${system.padEnd(8)} ${name.padEnd(22)} ${value.toFixed(3)}`);
      }
    return { figures: compared(measured.product, measured.peer), rounds: options.rounds, versions };
  } finally {
    await folder.remove();
  }
}

async function openProduct(product: Product): Promise<[Rig, Consumers]> {
  const bench = await Bench.openYoung(new Figures(), { ...product, backend: 'redis' });
  return [bench, await bench.startConsumers(1)];
}

/** One system: a young database at an everyday load, then warm; and another young database at full load. */
async function measureRound(
  open: () => Promise<[Rig, Consumers]>,
  options: BesideOptions,
): Promise<Measured> {
  const { seconds, warmUpS } = options;
  const everyday = await opened(open, async (rig, one) => {
    const cold = await everydayOf(rig, one, seconds, 0);
    await rig.post({ ...one, perSecond: EVERYDAY_PER_SECOND, seconds: warmUpS });
    await rig.delivered(one);
    const warm = await everydayOf(rig, one, seconds);
    const full = await sustained64(rig, one, seconds);
    return {
      'everyday.cold': { value: cold.measured.productMs, parts: cold.measured.parts },
      'everyday.cold.p50': { value: cold.arrival.p50 },
      'everyday.cold.p99': { value: cold.arrival.p99 },
      'everyday.cpu': { value: warm.measured.productMs, parts: warm.measured.parts },
      'everyday.p50': { value: warm.arrival.p50 },
      'everyday.p99': { value: warm.arrival.p99 },
      'sustained.64': { value: full.perSecond },
      'sustained.64.cpu': { value: full.productMs, parts: full.parts },
      'sustained.64.tail.p50': { value: full.arrival?.p50 ?? Number.NaN },
      'sustained.64.tail.p95': { value: full.arrival?.p95 ?? Number.NaN },
      'sustained.64.tail.p99': { value: full.arrival?.p99 ?? Number.NaN },
    };
  });
  const young = await opened(open, (rig, one) => sustained64(rig, one, seconds, 0));
  return {
    ...everyday,
    'cold.sustained': { value: young.perSecond },
    'cold.sustained.cpu': { value: young.productMs, parts: young.parts },
  };
}

async function opened<T>(
  open: () => Promise<[Rig, Consumers]>,
  measure: (rig: Rig, one: Consumers) => Promise<T>,
): Promise<T> {
  const [rig, one] = await open();
  try {
    return await measure(rig, one);
  } finally {
    await rig.close();
  }
}

function compared(product: readonly Measured[], peer: readonly Measured[]): Beside[] {
  const valueOf = (rounds: readonly Measured[], name: string): number =>
    median(rounds.map((round) => round[name]?.value ?? Number.NaN));
  const partsOf = (rounds: readonly Measured[], name: string): Parts =>
    Object.fromEntries(
      Object.keys(rounds[0]?.[name]?.parts ?? {}).map((part) => [
        part,
        median(rounds.map((round) => round[name]?.parts?.[part] ?? Number.NaN)),
      ]),
    );
  return Object.keys(product[0] ?? {}).map((name) => ({
    name,
    unit: /sustained(\.64)?$/.test(name) ? '1/s' : 'ms',
    product: valueOf(product, name),
    peer: valueOf(peer, name),
    productParts: partsOf(product, name),
    peerParts: partsOf(peer, name),
  }));
}

async function versionOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? stdout.trim();
}
