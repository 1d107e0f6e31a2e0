import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
export interface Operation {
  operationId: string;
  parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
export interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const PRINT = join(import.meta.dirname, '../../dist/apps/api/print-openapi.js');

/** Printed once for all files of a test process. */
let printed: Promise<{ stdout: string }> | undefined;

/** The document that `npm run openapi` prints without a database, a queue and an environment. */
export async function printedDocument<Document extends ApiDocument = ApiDocument>(): Promise<Document> {
  printed ??= promisify(execFile)(process.execPath, [PRINT], { env: {}, maxBuffer: 2 ** 24 });
  const document: Document = JSON.parse((await printed).stdout);
  return document;
}

/** Every operation with its method and path. */
export function operationsOf(
  document: ApiDocument,
): { method: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Checks values against the document's schemas, as a client generated from it would. */
export class DocumentChecker {
  private readonly ajv: Ajv2020;
  private readonly validates = new Map<string, ValidateFunction>();

  constructor(private readonly document: ApiDocument) {
    this.ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(this.ajv);
    this.ajv.addSchema(document, 'api');
  }

  /** Compiles each schema once: some tests check thousands of answers. */
  private compiled(reference: string): ValidateFunction {
    const known = this.validates.get(reference) ?? this.ajv.compile({ $ref: reference });
    this.validates.set(reference, known);
    return known;
  }

  schema(name: string): ValidateFunction {
    const found = this.ajv.getSchema(`api#/components/schemas/${name}`);
    if (found === undefined) throw new Error(`the document has no schema ${name}`);
    return found;
  }

  /** The faults of an answer: an undocumented status, an undocumented media type, or a body that violates its schema. */
  answerFaults(
    method: string,
    path: string,
    answer: { status: number; contentType: string | null; body: unknown },
  ): string[] {
    const operation = this.document.paths[path]?.[method.toLowerCase()];
    const response = operation?.responses[String(answer.status)];
    if (response === undefined) return [`${method} ${path} does not document ${String(answer.status)}`];
    if (response.content === undefined) return answer.body === undefined ? [] : ['an undocumented body'];
    const media = (answer.contentType ?? '').split(';', 1)[0] ?? '';
    const pointer = [
      path,
      method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      media,
      'schema',
    ];
    if (response.content[media] === undefined) return [`${method} ${path} does not document ${media}`];
    return this.faultsAt(pointer, answer.body);
  }

  /** The faults of the body of a request. */
  requestFaults(method: string, path: string, body: unknown): string[] {
    const place = [path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
    return this.faultsAt(place, body);
  }

  /** The faults of the examples of a request body or an answer. A missing example is a fault, too. */
  exampleFaults(method: string, path: string, where: readonly string[], media: string): string[] {
    const operation = this.document.paths[path]?.[method.toLowerCase()];
    const [place, status = ''] = where;
    const content =
      place === 'requestBody' ? operation?.requestBody?.content : operation?.responses[status]?.content;
    const { example, examples } = content?.[media] ?? {};
    const shown = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples ?? {}).map(({ value }) => value),
    ];
    const pointer = [path, method.toLowerCase(), ...where, 'content', media, 'schema'];
    const faults = shown.length === 0 ? ['no example'] : shown.flatMap((one) => this.faultsAt(pointer, one));
    return faults.map((fault) => `${method} ${path} ${where.join(' ')}: ${fault}`);
  }

  /** Validates a value against the schema at this place below `paths`. */
  private faultsAt(pointer: readonly string[], value: unknown): string[] {
    const parts = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = this.compiled(`api#/paths/${parts.join('/')}`);
    return validate(value) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ''}`);
  }
}
