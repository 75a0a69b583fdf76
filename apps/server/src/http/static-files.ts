import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../app-error.ts'
import type { BasePath } from './base-path.ts'

/**
 * Serves the browser program, also to strangers. Every address that is neither a call nor a built file gets
 * its page.
 */
export async function serveWeb(app: FastifyInstance, webDir: string, basePath: BasePath): Promise<void> {
  const index = path.join(webDir, 'index.html')
  if (!fs.existsSync(index)) {
    app.log.warn({ webDir }, 'the web interface is not built: only the API is served')
    return
  }
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      // Vite adds a hash of the content to the file names in assets/.
      const forever = path.relative(webDir, file).startsWith(`assets${path.sep}`)
      void reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const built = fs.readFileSync(index, 'utf8')
  const servedPage = basePath.page(built)
  const sendPage = (reply: FastifyReply) => {
    // the build contains a compressed copy of the unchanged page
    if (servedPage === built) return reply.sendFile('index.html')
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(servedPage)
  }
  app.get('/', (_request, reply) => sendPage(reply))
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const wantsFile = path.extname(request.url.split('?')[0]!) !== ''
    if (!isPage || wantsFile) throw new AppError('not_found', 'Page not found.')
    return sendPage(reply)
  })
}
