import type { Clock } from '@pulse/domain'
import http from 'node:http'
import https from 'node:https'
import { listen, startProblem, urlOf } from '../start/listen.ts'
import type { Listening } from '../start/listening.ts'

/** by path; undefined: there is no such call */
export type Calls = Readonly<Record<string, () => { status: number; type: string; text: string }>>

const mostConnections = 50
const requestMs = 10_000
const graceMs = 1_000

/** What a collector answers about itself: its health and its figures. It needs no sign-in and has no secret. */
export async function serveCalls(
  calls: Calls,
  listening: Listening,
  clock: Pick<Clock, 'after'>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const answer: http.RequestListener = ({ method, url = '/' }, response) => {
    const call = calls[url.split('?')[0]!]
    const isRead = method === 'GET' || method === 'HEAD'
    const none = { status: isRead ? 404 : 405, type: 'text/plain', text: 'A collector has no pages.\n' }
    const { status, type, text } = (isRead && call?.()) || none
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
    response.end(method === 'HEAD' ? undefined : text)
  }
  const options = { requestTimeout: requestMs, headersTimeout: requestMs, maxHeaderSize: 8_192 }
  const { tls } = listening
  const server = tls ? https.createServer({ ...options, ...tls }, answer) : http.createServer(options, answer)
  server.maxConnections = mostConnections
  try {
    await listen(
      {
        listen: (at) =>
          new Promise((resolve, reject) => {
            server.once('error', reject).listen(at, () => resolve(at.host))
          }),
      },
      listening,
    )
  } catch (error) {
    throw startProblem(error, listening)
  }
  return {
    url: urlOf({ server }, listening),
    stop: () =>
      new Promise((resolve) => {
        const cancel = clock.after(graceMs, () => server.closeAllConnections())
        server.close(() => {
          cancel()
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
