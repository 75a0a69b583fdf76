export function Node({ id }: { id: string }) {
  return <p>{id}</p>
}
