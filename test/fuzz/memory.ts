export interface MemorySample {
  readonly heapMiB: number;
  readonly residentMiB: number;
}

/** The memory of a process, by its own metrics. */
export async function memoryOf(baseUrl: string): Promise<MemorySample> {
  const figures = await (await fetch(`${baseUrl}/metrics`)).text();
  const value = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)`, 'm').exec(figures)?.[1]) / 2 ** 20;
  return {
    heapMiB: value('nodejs_heap_size_used_bytes'),
    residentMiB: value('process_resident_memory_bytes'),
  };
}

/** The smallest heap in a part of the samples, which is what remained after garbage collections. */
export const liveHeap = (samples: readonly MemorySample[], from: number, to: number): number =>
  Math.min(
    ...samples
      .slice(Math.floor(from * samples.length), Math.ceil(to * samples.length))
      .map(({ heapMiB }) => heapMiB),
  );
