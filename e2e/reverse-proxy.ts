import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReverseProxy {
  url: string
  /** Headers for the signed-in user; undefined: the proxy adds none. */
  adds: Record<string, string> | undefined
  close(): Promise<void>
}

/** A proxy in front of a server: adds headers to calls and sockets, and answers some paths itself. */
export async function startReverseProxy(target: string, own: Record<string, string>): Promise<ReverseProxy> {
  const ask = (request: http.IncomingMessage) =>
    http.request(target + request.url, {
      method: request.method!,
      headers: { ...request.headers, 'x-forwarded-for': '192.0.2.1', ...proxy.adds },
    })

  const server = http.createServer((request, response) => {
    const page = own[request.url!]
    if (page !== undefined) return void response.setHeader('content-type', 'text/html').end(page)
    const asked = ask(request)
    asked.on('error', () => response.destroy())
    asked.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(asked)
  })
  server.on('upgrade', (request, socket, head) => {
    const asked = ask(request)
    asked.on('error', () => socket.destroy())
    asked.on('response', ({ statusCode }) => socket.end(`HTTP/1.1 ${statusCode} Refused\r\n\r\n`))
    asked.on('upgrade', (answer, upstream, first) => {
      const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('')}\r\n`)
      socket.write(first)
      upstream.write(head)
      upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy())
      socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
      upstream.pipe(socket).pipe(upstream)
    })
    asked.end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const proxy: ReverseProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    adds: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
