import type { Reply } from './reply.ts'
import type { Target } from './target.ts'

export const isPage = (target: Target): boolean => target.page && target.path === '/'

/** The start page names the product in its title, without a login. */
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
