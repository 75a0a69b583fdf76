import type { FastifyInstance } from 'fastify'

/**
 * Pulse below a path of a site, such as `/pulse`; empty: the site is its own. What comes in loses that path, whether a proxy has
 * taken it away or not, and what goes out gets it: only this file handles the base path.
 */
export interface BasePath {
  /** the address of a request as the rest of the server knows it */
  strip(url: string): string
  /** the document of the browser program, which learns its place from it */
  page(html: string): string
  /** Where answers lead, and for what their cookies are. */
  addTo(app: FastifyInstance): void
}

export function createBasePath(base: string): BasePath {
  if (base === '') return { strip: (url) => url, page: (html) => html, addTo: () => {} }
  const put = (place: string) => (/^\/(?!\/)/.test(place) ? base + place : place)
  const ofCookie = (text: string) =>
    text.replace(/; Path=(\/[^;]*)/, (_, path: string) => `; Path=${path === '/' ? base : base + path}`)
  return {
    strip(url) {
      if (!url.startsWith(base)) return url
      const rest = url.slice(base.length)
      if (rest.startsWith('/')) return rest
      return rest === '' || rest.startsWith('?') ? `/${rest}` : url
    },
    page: (html) =>
      html
        .replace('<head>', `<head>\n    <meta name="base-path" content="${base}" />`)
        .replaceAll(
          / (href|src)="(\/[^"]*)"/g,
          (_, name: string, place: string) => ` ${name}="${put(place)}"`,
        ),
    addTo(app) {
      app.addHook('onSend', async (_request, reply) => {
        const location = reply.getHeader('location')
        if (typeof location === 'string') void reply.header('location', put(location))
        const cookies = [reply.getHeader('set-cookie') ?? []].flat().map((text) => ofCookie(String(text)))
        if (cookies.length === 0) return
        // a header that is set again is added to
        reply.removeHeader('set-cookie')
        void reply.header('set-cookie', cookies)
      })
    },
  }
}
