import { Group, Image } from '@mantine/core';
import { useSignInOffer } from '../queries/use-sign-in-offer';
import { useMay } from '../signed-in/use-me';

/** The bank's name, or else the product's: on every screen and in the titles of the browser's tabs. */
export function useProductName(): string {
  const isConsumer = useMay('consumer');
  return useSignInOffer()?.brand.name ?? (isConsumer ? 'Payment notifications' : 'Dispatcher');
}

/** The bank's logo and name. As an image, an SVG runs no scripts. */
export function Brand() {
  const name = useProductName();
  const logo = useSignInOffer()?.brand.logo ?? null;
  return (
    <Group gap="xs" wrap="nowrap">
      {logo !== null && <Image src={logo} alt="" h={28} w="auto" maw={140} fit="contain" />}
      {name}
    </Group>
  );
}
