/** What a span tells: ids, counts and closed words only, as in log lines; never a body, a header, a secret or a URL. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** One step of a trace, begun. */
export interface Span {
  /** The context for what follows from it, as the header has it. */
  readonly traceparent: string;
  /** @param fault in words, when the step came to nothing */
  end(attributes?: SpanAttributes, fault?: string): void;
}

export interface SpanStart {
  /** Who is on the other side: a caller, the queue, somebody who is called, or nobody. */
  readonly kind: 'server' | 'consumer' | 'client' | 'internal';
  /** What it follows from; without one it begins a trace. */
  readonly parent: string | undefined;
  /** By `performance.now()`; now unless told. */
  readonly startedAtMs?: number;
  /** What it has to do with, in whatever trace that is, as the header has it. */
  readonly link?: string | undefined;
  readonly attributes?: SpanAttributes;
}

/** The process's traces: spans when it sends them somewhere, nothing otherwise. */
export interface Tracing {
  readonly isOn: boolean;
  begin(name: string, start: SpanStart): Span | undefined;
  /** Does work in which a library begins spans of its own: they follow from `parent`, and without one there are none. */
  within<T>(parent: string | undefined, work: () => T): T;
  /** The span of a library in which this is called, as the header has it; nothing when it is not sampled. */
  active(): string | undefined;
  /** Sends what has ended, as far as that is possible in a short time. */
  close(): Promise<void>;
}

/** Nothing is traced; a context that came from outside is passed on as it is. */
export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => undefined,
  within: (_parent, work) => work(),
  active: () => undefined,
  close: () => Promise.resolve(),
};
