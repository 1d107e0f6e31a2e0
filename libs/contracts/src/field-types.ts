/**
 * What a field of an answer holds, where `string` or `number` says too little. The tags are keywords of the field's schema in
 * the OpenAPI document; `asType` is `type`. `scripts/field-schemas-plugin.mjs` reads them.
 */

/** @format uuid */
export type Uuid = string;

/**
 * A moment in ISO 8601, in UTC.
 * @format date-time
 */
export type Instant = string;

/** @format uri */
export type Url = string;

/**
 * HMAC-SHA256 in lower-case hexadecimal.
 * @pattern ^[0-9a-f]{64}$
 */
export type Signature = string;

/**
 * A number without a fraction, which may be negative.
 * @asType integer
 */
export type Integer = number;

/**
 * How many.
 * @asType integer
 * @minimum 0
 */
export type Count = number;

/**
 * A number in a sequence that begins with 1, or how many of what there is at least one.
 * @asType integer
 * @minimum 1
 */
export type Ordinal = number;

/**
 * A measure that is never negative.
 * @minimum 0
 */
export type Amount = number;

/**
 * A part of a whole.
 * @minimum 0
 * @maximum 1
 */
export type Share = number;
