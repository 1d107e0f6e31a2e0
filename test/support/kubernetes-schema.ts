/** The violations of the Kubernetes schema in a manifest. */
export async function kubernetesFaults(
  manifest: Readonly<{ apiVersion: string; kind: string }>,
): Promise<string[]> {
  const { apiVersion, kind } = manifest;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const name = [group.split('.')[0] ?? '', version].map(
    (part) => part.charAt(0).toUpperCase() + part.slice(1),
  );
  const { validate }: { validate: { (value: unknown): boolean; errors?: object[] | null } } = await import(
    `kubernetes-models/_schemas/IoK8sApi${name.join('')}${kind}`
  );
  const unread = new Set<string>();
  validate(recordReads(manifest, '', unread));
  const errors = (validate.errors ?? []).map((error) => JSON.stringify(error));
  return [...errors, ...[...unread].map((path) => `unknown field ${path}`)];
}

/**
 * A copy that removes each field from `unread` when it is read. The generated validators allow unknown fields, but
 * read every field that they know.
 */
function recordReads(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    unread.add(`${path}.${key}`);
    return [key, recordReads(inner, `${path}.${key}`, unread)];
  });
  const copy = Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
  return new Proxy<object>(copy, {
    get(target, key, receiver) {
      unread.delete(`${path}.${String(key)}`);
      return Reflect.get(target, key, receiver);
    },
  });
}
