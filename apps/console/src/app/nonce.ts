/** The nonce that this page's content security policy admits styles with; empty where there is no policy. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Tells it to the library that locks scrolling under dialogs, which looks for it under this name. */
export function adoptNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
