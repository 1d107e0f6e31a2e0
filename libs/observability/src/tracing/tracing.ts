/** Attributes of a span: ids, counts and values of closed lists; never a body, a header, a secret or a URL. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A started step of a trace. */
export interface Span {
  /** The context for following spans, as a `traceparent` header. */
  readonly traceparent: string;
  /** @param fault text of the error, when the step failed */
  end(attributes?: SpanAttributes, fault?: string): void;
}

export interface SpanStart {
  /** The peer: a caller, the queue, a called server, or none. */
  readonly kind: 'server' | 'consumer' | 'client' | 'internal';
  /** The parent's context; without one the span begins a trace. */
  readonly parent: string | undefined;
  /** Time of `performance.now()`; by default the current one. */
  readonly startedAtMs?: number;
  readonly attributes?: SpanAttributes;
}

/** The process's traces. */
export interface Tracing {
  begin(name: string, start: SpanStart): Span | undefined;
  /** Sends the ended spans, within a short time. */
  close(): Promise<void>;
}

/** Traces nothing; a caller's context is passed on unchanged. */
export const NO_TRACING: Tracing = {
  begin: () => undefined,
  close: () => Promise.resolve(),
};
