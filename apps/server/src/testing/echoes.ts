import http from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'

/** Receivers that refuse everything and quote the whole request. */
export interface Echoes {
  origin: string
  mailPort: number
  /** requests to all receivers */
  heard: string[]
  close(): void
}

const listening = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )

export async function startEchoes(): Promise<Echoes> {
  const heard: string[] = []
  async function refuse(request: http.IncomingMessage, response: http.ServerResponse) {
    const quoted = `${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`
    heard.push(quoted)
    response.writeHead(418).end(quoted)
  }
  const web = http.createServer((request, response) => void refuse(request, response))
  const mail = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('220 echo\r\n')
    socket.setEncoding('utf8').on('data', (line: string) => {
      heard.push(line)
      socket.write(
        /^EHLO/i.test(line) ? '250-echo\r\n250 AUTH PLAIN\r\n' : `535 5.7.8 no: ${line.trim()}\r\n`,
      )
    })
  })
  const [port, mailPort] = [await listening(web), await listening(mail)]
  const close = () => {
    web.closeAllConnections()
    web.close()
    mail.close()
  }
  return { origin: `http://127.0.0.1:${port}`, mailPort, heard, close }
}
