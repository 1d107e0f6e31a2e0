import type { components, paths } from '#libs/client';

/** A shape of the interface by its name in the OpenAPI document, e.g. `Schema<'DeliveryDto'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The query of a list, e.g. `ListQuery<'/v1/deliveries'>`. */
export type ListQuery<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Query } };
}
  ? NonNullable<Query>
  : never;
