/** What the queries of all that shows deliveries begin with. */
export const DELIVERIES_KEY = ['deliveries'] as const;

let inView = '';

/** The search part of the list's address as it was seen last, empty without filters: the way back from a delivery. */
export const listInView = (): string => inView;
export const keepListInView = (search: string): void => {
  inView = search;
};
