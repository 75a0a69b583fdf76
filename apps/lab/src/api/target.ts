import type { IncomingMessage } from 'node:http'

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
  // Browsers add it so that nothing is cached; it is dropped unread.
  delete query._dc
  const path = decodePath(url.pathname)
  if (path !== apiBase && !path.startsWith(`${apiBase}/`)) return { method, path, query, page: true }
  return { method, path: path.slice(apiBase.length) || '/', query, page: false }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Malformed escapes are looked up as they are, and not found.
    return path
  }
}
