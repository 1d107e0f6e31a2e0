import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Field, type Rule } from './rule.js';

/** The rules of a text field. Lengths are Unicode code points, as given: nothing is normalised or cut. */
export interface TextRules {
  readonly min?: number;
  readonly max?: number;
  readonly exact?: number;
  /** A text that is taken although it breaks the other rules, e.g. `Not Provided`. */
  readonly orText?: string;
  readonly pattern?: RegExp;
  /** The pattern in words; required beside it. */
  readonly patternInWords?: string;
  /** A rule beyond lengths and patterns, asked last. */
  readonly also?: (text: string) => string | null;
  readonly optional?: boolean;
  /** Additions to the OpenAPI document: format, example. */
  readonly schema?: Partial<ApiPropertyOptions>;
}

/**
 * A JSON string. U+0000 and unpaired surrogates are refused in every one: PostgreSQL cannot hold them.
 */
export function Text(rules: TextRules = {}): PropertyDecorator {
  return Field(textRule(rules), textSchema(rules), { optional: rules.optional === true });
}

/** The rule alone, for texts inside an array. */
export function textRule(rules: TextRules): Rule {
  return (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (value.includes('\u0000') || !value.isWellFormed()) {
      return 'must not contain U+0000 or unpaired surrogates';
    }
    if (value === rules.orText) return null;
    return lengthFault(value, rules) ?? patternFault(value, rules) ?? rules.also?.(value) ?? null;
  };
}

function lengthFault(text: string, { min, max, exact, orText }: TextRules): string | null {
  // UTF-16 counts at least as many units as there are code points, so a short text need not be counted.
  const length =
    exact === undefined && min === undefined && (max === undefined || text.length <= max)
      ? 0
      : [...text].length;
  if (exact !== undefined && length !== exact) {
    return `must be exactly ${String(exact)} characters${orText === undefined ? '' : `, or the text "${orText}"`}`;
  }
  if (min !== undefined && length < min)
    return min === 1 ? 'must not be empty' : `must be at least ${String(min)} characters`;
  if (max !== undefined && length > max) return `must be at most ${String(max)} characters`;
  return null;
}

function patternFault(text: string, { pattern, patternInWords }: TextRules): string | null {
  return pattern === undefined || pattern.test(text)
    ? null
    : (patternInWords ?? `must match ${pattern.source}`);
}

function textSchema({ min, max, exact, orText, pattern, schema }: TextRules): ApiPropertyOptions {
  const bounds = {
    ...(exact === undefined ? {} : { minLength: exact, maxLength: exact }),
    ...(min === undefined ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  };
  const text =
    orText === undefined
      ? { type: 'string', ...bounds }
      : {
          type: 'string',
          anyOf: [
            { type: 'string', ...bounds },
            { type: 'string', enum: [orText] },
          ],
        };
  return { ...text, ...schema } as ApiPropertyOptions;
}
