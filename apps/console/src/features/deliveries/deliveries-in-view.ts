/** The beginning of the keys of all queries of deliveries. */
export const DELIVERIES_KEY = ['deliveries'] as const;

let inView = '';

/** The search part of the address of the last list, empty without filters, for the link back from a delivery. */
export const listInView = (): string => inView;
export const keepListInView = (search: string): void => {
  inView = search;
};
