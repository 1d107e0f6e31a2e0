import type { OptionsFilter } from '@mantine/core';

/** For a choice whose options the api has searched already, also in fields that their labels do not show. */
export const searchedByApi: OptionsFilter = ({ options }) => options;
