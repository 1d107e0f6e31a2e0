/**
 * Places at which a spreadsheet could find a formula: where the text begins, and where a cell begins if `;` is the
 * separator, as it is in some languages, which ignore the quotes. The full-width signs count too.
 */
const FORMULA = /^(?=[\t\r\n;])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;

const cell = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return `"${value.replaceAll(FORMULA, "'").replaceAll('"', '""')}"`;
};

/** A CSV record with its line end (RFC 4180), every text quoted. What a spreadsheet would run as a formula gets the prefix `'`. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(cell).join(',')}\r\n`;
