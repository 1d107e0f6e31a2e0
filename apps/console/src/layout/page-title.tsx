/** What the browser's tab says. */
export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} · Payment notification dispatcher`}</title>;
}
