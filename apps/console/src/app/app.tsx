import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './query-client';
import { createRouter } from './router';
import { useSignInOffer } from '../queries/use-sign-in-offer';
import { cssVariables, themeOf } from './theme';

/** The nonce for styles in this page's content security policy; empty without a policy. */
const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Passes the nonce to the library that locks scrolling under dialogs, which reads this name. */
export function adoptNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}

export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <BrandedApp />
    </QueryClientProvider>
  );
}

/** Everything in the bank's colour, as soon as that is known. */
function BrandedApp() {
  const [router] = useState(createRouter);
  const color = useSignInOffer()?.brand.color ?? null;
  const theme = useMemo(() => themeOf(color), [color]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <ModalsProvider>
        <Notifications position="bottom-right" autoClose={8_000} />
        <RouterProvider router={router} />
      </ModalsProvider>
    </MantineProvider>
  );
}
