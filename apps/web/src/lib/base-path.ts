/**
 * The base path: empty, or for example `/pulse`. The server writes it into the document, which tests may not
 * have.
 */
export const basePath: string =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** The path without the base path. */
export function withoutBase(path: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}
