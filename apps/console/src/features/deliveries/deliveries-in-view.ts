let inView = '';

/** The search part of the address of the last list, empty without filters, for the link back from a delivery. */
export const listInView = (): string => inView;
export const keepListInView = (search: string): void => {
  inView = search;
};
