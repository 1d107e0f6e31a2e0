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
  readonly attributes?: SpanAttributes;
}

/** The process's traces: spans when it sends them somewhere, nothing otherwise. */
export interface Tracing {
  begin(name: string, start: SpanStart): Span | undefined;
  /** Sends what has ended, as far as that is possible in a short time. */
  close(): Promise<void>;
}

/** Nothing is traced; a context that came from outside is passed on as it is. */
export const NO_TRACING: Tracing = {
  begin: () => undefined,
  close: () => Promise.resolve(),
};
