/** Injection tokens of the doors that are plain objects: the exit and the opened credentials. */
export const EGRESS = Symbol('Egress');
export const VAULT = Symbol('Vault');
export const CREDENTIALS = Symbol('CredentialCache');
