import type { Product } from '#test/bench/environment';
import type { Figures } from '#test/bench/figures';

/** What a scenario gets that makes its own installation. */
export interface Plan {
  readonly figures: Figures;
  readonly product: Product;
  /** Length of each load; a scenario's own by default. */
  readonly seconds?: number;
  /** Time at an everyday load before warm figures are measured. */
  readonly warmUpS: number;
  /** Measurements of which the median counts, each with an empty database. */
  readonly rounds: number;
}
