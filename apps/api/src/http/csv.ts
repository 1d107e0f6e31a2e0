/** A spreadsheet runs a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** A record of a CSV text (RFC 4180), its line ended. A text that a spreadsheet would run as a formula gets a `'` before it. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(cell).join(',')}\r\n`;
