import type { FastifyInstance } from 'fastify'

/**
 * Serves Pulse below a path of a site, such as `/pulse`; empty: Pulse has its own site. The path is removed
 * from requests, even if a proxy has not done it, and added to answers. Only this file handles the base path.
 */
export interface BasePath {
  /** the address as the rest of the server uses it */
  strip(url: string): string
  /** the HTML document with the base path for the browser program */
  page(html: string): string
  /** Adds the path to redirects and cookies. */
  addTo(app: FastifyInstance): void
}

export function createBasePath(base: string): BasePath {
  if (base === '') return { strip: (url) => url, page: (html) => html, addTo: () => {} }
  const withBase = (target: string) => (/^\/(?!\/)/.test(target) ? base + target : target)
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
          (_, name: string, target: string) => ` ${name}="${withBase(target)}"`,
        ),
    addTo(app) {
      app.addHook('onSend', async (_request, reply) => {
        const location = reply.getHeader('location')
        if (typeof location === 'string') void reply.header('location', withBase(location))
        const cookies = [reply.getHeader('set-cookie') ?? []].flat().map((text) => ofCookie(String(text)))
        if (cookies.length === 0) return
        // setting this header again would append to it
        reply.removeHeader('set-cookie')
        void reply.header('set-cookie', cookies)
      })
    },
  }
}
