import { InstallationMetrics, Metrics, WorkerMetrics } from '#libs/observability';

export interface KnownMetric {
  name: string;
  type: string;
  labels: readonly string[];
  help: string;
}

/** All metrics of all processes, including those of Node, in the order of their registration. */
export async function knownMetrics(): Promise<KnownMetric[]> {
  const metrics = new Metrics();
  const parts = [new WorkerMetrics(metrics), new InstallationMetrics(metrics)];
  const labelsOf = new Map(
    [metrics, ...parts].flatMap((part) =>
      Object.values(part).flatMap((metric: unknown) => {
        if (typeof metric !== 'object' || metric === null) return [];
        const [name, labels]: unknown[] = [Reflect.get(metric, 'name'), Reflect.get(metric, 'labelNames')];
        return typeof name === 'string' && Array.isArray(labels) ? [[name, labels.map(String)] as const] : [];
      }),
    ),
  );
  return (await metrics.registry.getMetricsAsJSON()).map(({ name, type, help }) => ({
    name,
    type: String(type),
    labels: labelsOf.get(name) ?? [],
    help,
  }));
}

/** The names of a metric's series; a histogram has three. */
export const seriesOf = ({ name, type }: KnownMetric): string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
