import type { Presence, Rule } from './declared.js';
import { Field, type FieldSchema } from './rule.js';

/** The rules of a text field. Lengths are Unicode code points; nothing is normalised or cut. */
export interface TextRules extends Presence {
  readonly min?: number;
  readonly max?: number;
  readonly exact?: number;
  /** A text that is accepted although it breaks the other rules, e.g. `Not Provided`. */
  readonly orText?: string;
  readonly pattern?: RegExp;
  /** The pattern in words; required with a pattern. */
  readonly patternInWords?: string;
  /** A rule beyond lengths and patterns, checked when the pattern matches. */
  readonly also?: (text: string) => string | null;
  /** Additions to the OpenAPI document: format, example. */
  readonly schema?: FieldSchema;
}

/**
 * A JSON string without U+0000 and unpaired surrogates, which PostgreSQL cannot hold.
 */
export function Text(rules: TextRules = {}): PropertyDecorator {
  return Field(
    [wellFormed, lengthRule(rules), contentRule(rules)],
    { ...textSchema(rules), ...rules.schema },
    rules,
  );
}

/** The rules as one, with the message of the first broken rule: for texts in an array. */
export function textRule(rules: TextRules): Rule {
  const [length, content] = [lengthRule(rules), contentRule(rules)];
  return (value) => wellFormed(value) ?? length(value) ?? content(value);
}

const wellFormed: Rule = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  return value.includes('\u0000') || !value.isWellFormed()
    ? 'must not contain U+0000 or unpaired surrogates'
    : null;
};

function lengthRule({ min, max, exact, orText }: TextRules): Rule {
  if (min === undefined && max === undefined && exact === undefined) return () => null;
  const orWords = orText === undefined ? '' : `, or the text "${orText}"`;
  return (value) => {
    if (typeof value !== 'string' || value === orText) return null;
    const length = codePoints(value);
    if (exact !== undefined && length !== exact)
      return `must be exactly ${String(exact)} characters${orWords}`;
    if (min !== undefined && length < min) {
      return min === 1 ? 'must not be empty' : `must be at least ${String(min)} characters`;
    }
    return max !== undefined && length > max ? `must be at most ${String(max)} characters` : null;
  };
}

function contentRule({ pattern, patternInWords, also, orText }: TextRules): Rule {
  return (value) => {
    if (typeof value !== 'string' || value === orText) return null;
    if (pattern !== undefined && !pattern.test(value))
      return patternInWords ?? `must match ${pattern.source}`;
    return also?.(value) ?? null;
  };
}

/** Of a well-formed text: each high surrogate begins a pair, which is one code point of two units. */
const codePoints = (text: string): number => text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0);

function textSchema({ min, max, exact, orText, pattern }: TextRules): FieldSchema {
  const bounds: FieldSchema = {
    type: 'string',
    ...(exact === undefined ? {} : { minLength: exact, maxLength: exact }),
    ...(min === undefined ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  };
  return orText === undefined
    ? bounds
    : { type: 'string', anyOf: [bounds, { type: 'string', enum: [orText] }] };
}
