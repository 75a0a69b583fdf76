/** Where the program lies at its site: empty, or a path such as `/pulse`, which the server writes into the document. Tests may have no document. */
export const basePath: string =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** An address as the program knows it. */
export function withoutBase(path: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}
