const NUMBER = new Intl.NumberFormat('en-GB');

/** `1,000`; of a count that stopped at its limit `more than 1,000`. */
export const countInWords = (count: number, isCapped = false): string =>
  `${isCapped ? 'more than ' : ''}${NUMBER.format(count)}`;

/** `1 delivery`, `1,000 deliveries`. */
export const deliveriesInWords = (count: number, isCapped = false): string =>
  `${countInWords(count, isCapped)} ${count === 1 && !isCapped ? 'delivery' : 'deliveries'}`;

/** `44.4%`, rounded down: only a share of 1 is `100%`. */
export const percentInWords = (share: number): string => `${String(Math.floor(share * 1_000) / 10)}%`;
