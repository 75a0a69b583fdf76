import type { IncomingMessage } from 'node:http'
import type { Reply } from './reply.ts'

export interface Target {
  method: string
  /** Below /api2/json, or the whole path of a page. */
  path: string
  query: Record<string, string>
  page: boolean
}

const apiBase = '/api2/json'

export function parseTarget(request: IncomingMessage): Target {
  const url = new URL(request.url ?? '/', 'https://lab')
  const method = request.method ?? 'GET'
  const query = Object.fromEntries(url.searchParams)
  // Browsers add it to bypass caches; PVE ignores it.
  delete query._dc
  const path = decodePath(url.pathname)
  if (path !== apiBase && !path.startsWith(`${apiBase}/`)) return { method, path, query, page: true }
  return { method, path: path.slice(apiBase.length) || '/', query, page: false }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Malformed escapes are looked up unchanged, so no route matches.
    return path
  }
}

export const isPage = (target: Target): boolean => target.page && target.path === '/'

/** The start page needs no login and has the product's name in its title. */
export function pageReply(target: Target, name: string, product: string): Reply {
  if (!target.page || target.path.startsWith('/api2')) return plain(501, 'no such uri')
  if (target.method !== 'GET' || target.path !== '/') return plain(501, `no such file '${target.path}'`)
  const html = `<!DOCTYPE html>
<html>
  <head>
    <meta http-equiv="Content-Type" content="text/html; charset=utf-8">
    <title>${name} - ${product}</title>
  </head>
  <body></body>
</html>
`
  return { status: 200, contentType: 'text/html; charset=utf-8', body: Buffer.from(html) }
}

const plain = (status: number, text: string): Reply => ({ status, text, body: Buffer.alloc(0) })

/** The variable parts of a path, when its segments fit the template's. */
export function parametersIn(
  expected: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = segments[index]!
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
