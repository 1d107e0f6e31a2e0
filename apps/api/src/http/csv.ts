/** Beginnings of texts that a spreadsheet would run as a formula; the full-width forms too, and `;`, a separator in some languages. */
const FORMULA = /^[=+\-@\t\r;＝＋－＠]/;

const cell = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
};

/** A CSV record with its line end (RFC 4180), every text quoted. Texts that a spreadsheet would run as a formula get the prefix `'`. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(cell).join(',')}\r\n`;
